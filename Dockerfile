# HeadScope in a container, for CPU and GPU alike: what differs is which build of torch goes in.
#
#   docker compose up headscope        http://127.0.0.1:8000, on the CPU
#   docker compose up headscope-gpu    http://127.0.0.1:8001, on an NVIDIA GPU
#
# TORCH_INDEX is the address of a package index that has torch for one device only, for instance the
# PyTorch project's index of CPU builds. A build found there is preferred. Empty, the usual index
# serves: its Linux build runs on both, but brings some gigabytes of CUDA libraries.
FROM python:3.11-slim

ARG TORCH_INDEX=""

WORKDIR /app

# What HeadScope needs goes in before HeadScope: a changed source file does not fetch torch again.
COPY pyproject.toml ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > requirements.txt \
    && pip install --no-cache-dir ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r requirements.txt

COPY README.md LICENSE ./
COPY mha_core mha_core
COPY backend backend
COPY frontend frontend
# The sources go again, so that what runs is what was installed.
RUN pip install --no-cache-dir --no-deps . && rm -rf /app/*

# The volume takes over this directory's owner, so the server may write weights to it.
RUN useradd --create-home --uid 10001 headscope && install -d -o headscope /models
USER headscope

# Weights come on the first start and stay in the volume. All addresses inside the container: from
# outside it is reached only where a port is published.
ENV HEADSCOPE_HOST=0.0.0.0 \
    HEADSCOPE_PORT=8000 \
    HEADSCOPE_OPEN=false \
    HEADSCOPE_MODELS_DIR=/models \
    HF_HOME=/models/.huggingface \
    PYTHONUNBUFFERED=1
VOLUME /models
EXPOSE 8000

# The server answers once the weights of its first model are here: that may take minutes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/v1/health', timeout=4)"]

CMD ["headscope", "serve"]
