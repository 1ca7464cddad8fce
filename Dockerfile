# The page and the HTTP API; docs/how-to/serve.md shows how to build and run it.
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/satcal && \
    /opt/satcal/bin/pip install --no-cache-dir -c constraints.txt '.[service,postgres]' && \
    /opt/satcal/bin/python -m compileall -q /opt/satcal/lib

FROM python:3.12-slim
COPY --from=build /opt/satcal /opt/satcal
RUN useradd --create-home --uid 10001 satcal && install -d -o satcal /data
USER 10001
# for PostgreSQL as store: docker run -e SATCAL_STORE=postgresql://USER:PASSWORD@HOST/DATABASE
ENV PATH=/opt/satcal/bin:$PATH SATCAL_CACHE=/data/cache SATCAL_STORE=/data/store.sqlite
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# it has no token of its own: without SATCAL_TOKEN it says that one is missing, and ends
ENTRYPOINT ["satcal", "serve", "--host", "0.0.0.0", "--public"]
