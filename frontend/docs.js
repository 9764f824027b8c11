// Starts Swagger UI, served from this machine, on HeadScope's OpenAPI description.

/** @type {any} */ (window).SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
});
