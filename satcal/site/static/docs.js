// The description of the HTTP API, which Swagger UI shows and tries.
Reflect.get(window, "SwaggerUIBundle")({ url: "api/v1/openapi.json", dom_id: "#swagger-ui", deepLinking: true });
