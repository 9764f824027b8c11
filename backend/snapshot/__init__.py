"""An analysis as one HTML file: `/snapshot`."""
