import type { JsonSchema } from '../../../shared/wire/annotations.ts';

/** The parts of OpenAPI 3.1 that the document of this service uses. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: [{ url: string; description: string }];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<'checkoutCompleted' | 'eventOccurred', { post: WebhookObject }>;
  components: {
    securitySchemes: Record<string, JsonSchema>;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
  };
}

export type PathItem = { [Method in 'get' | 'post' | 'put' | 'delete']?: OperationObject };

export interface Reference {
  $ref: string;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: readonly SecurityRequirement[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: RequestBodyObject;
  responses: Record<string, ResponseObject>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  style?: 'form';
  explode?: true;
  example?: unknown;
}

export interface HeaderObject {
  /** True if the header is always present. */
  required?: true;
  description: string;
  schema: JsonSchema;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { summary: string; value: unknown }>>;
}

export interface RequestBodyObject {
  required: boolean;
  content: Record<string, MediaType>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface WebhookObject extends Pick<OperationObject, 'operationId' | 'tags' | 'summary' | 'description'> {
  security: [];
  parameters: ParameterObject[];
  requestBody: RequestBodyObject;
  responses: Record<string, { description: string }>;
}
