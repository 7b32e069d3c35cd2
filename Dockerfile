# syntax=docker/dockerfile:1
# One image for every role: `docker run … sightline up`, `api`, `work`, `consume`, `schedule`, `cameras`, `migrate`.
# Pin the base by digest where builds must repeat: --build-arg PYTHON_IMAGE=python:3.13-slim-trixie@sha256:…
ARG PYTHON_IMAGE=python:3.13-slim-trixie

# --- Builds the wheel, with the page in it, and installs what it needs: both by hash, from the lock files of this repository.
# hadolint ignore=DL3006
FROM ${PYTHON_IMAGE} AS build
WORKDIR /build
COPY requirements-uv.lock ./
RUN python -m venv tools && tools/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-uv.lock
# Changes rarely, and is the greater part of the image: a layer of its own.
COPY requirements-image.lock scripts/image_layers.py ./
RUN tools/bin/python image_layers.py dependencies
COPY pyproject.toml hatch_build.py requirements.lock README.md LICENSE CHANGELOG.md ./
COPY src src
COPY web web
RUN tools/bin/python image_layers.py application

# --- What is started. Nothing is installed here, so no package manager and no compiler is needed, and none comes along.
# hadolint ignore=DL3006
FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Sightline" \
      org.opencontainers.image.description="Turns video into things people can search, watch and act on." \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /build/layers/dependencies/ /
COPY --from=build /build/layers/application/ /
# An account for the user id below, without which PostgreSQL does not start; and the directory of all data.
COPY --from=build /build/layers/accounts/ /
COPY --from=build --chown=10001:10001 /build/layers/state/ /
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/var/lib/sightline \
    SIGHTLINE_STATE_DIR=/var/lib/sightline
USER 10001:10001
WORKDIR /var/lib/sightline
EXPOSE 8400
ENTRYPOINT ["sightline"]
CMD ["up"]
