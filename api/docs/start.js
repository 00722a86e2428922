SwaggerUIBundle({ url: "/openapi.json", dom_id: "#app", deepLinking: true, validatorUrl: null });
