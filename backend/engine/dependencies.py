"""What a route may ask of the application."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from backend.engine.interface import Engine
from backend.settings import Settings


def _engine(connection: HTTPConnection) -> Engine:
    engine: Engine = connection.app.state.engine
    return engine


def _settings(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


EngineOfApp = Annotated[Engine, Depends(_engine)]
SettingsOfApp = Annotated[Settings, Depends(_settings)]
