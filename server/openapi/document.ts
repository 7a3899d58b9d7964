import type { AnyStruct } from '../../shared/wire/notes.ts';
import type { Mode } from '../mode.ts';
import { namedStructs } from './components.ts';
import { about } from './about.ts';
import { describeAnswer, describeRefusals } from './answers.ts';
import { type Operation, type Query, type Request, tags } from './operations/operation.ts';
import { operationsIn } from './operations/operations.ts';
import { headers, type ParameterName, parameters } from './parameters.ts';
import { refusalsOf } from './refusals.ts';
import { SchemaWriter } from './schema-of.ts';
import { webhooks } from './webhooks.ts';

/** What the document says of the service it belongs to. */
export interface DocumentOptions {
  mode: Mode;
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  /** That of the package. */
  version: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON, whose shape OpenAPI's own description checks in a test
export type Json = any;

/** The API as an OpenAPI 3.1 document, written from the structs that validate it. */
export function openApiDocument({ mode, publicUrl, version }: DocumentOptions): Json {
  const operations = operationsIn(mode);
  const writer = new SchemaWriter(namedStructs);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation, writer);
  }
  const usedTags = new Set(operations.map(({ tag }) => tag));
  const hooks = webhooks(writer);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fairterm',
      version,
      description: about(mode),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: mode === 'sandbox' ? 'Sandbox: no real loans.' : 'Live.' }],
    tags: Object.entries(tags).flatMap(([name, description]) => (usedTags.has(name as never) ? [{ name, description }] : [])),
    paths,
    webhooks: hooks,
    components: {
      securitySchemes: {
        merchantKey: { type: 'http', scheme: 'basic', description: 'The API key is the user name, its secret the password.' },
        bearerAuthApplication: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token with the scope `r:application`: get one for a key pair, or have one made by whoever runs the service.',
        },
      },
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: used(parameters, paths, 'parameters'),
      headers: used(headers, paths, 'headers'),
    },
  };
}

function describeOperation(operation: Operation, writer: SchemaWriter): Json {
  const { id, method, tag, summary, description, caller, query, request, answers } = operation;
  // A page says its key in the body: another header is one that browsers ask about first.
  const takesKey = method !== 'get' && caller === 'merchant';
  const named: ParameterName[] = [...(operation.parameters ?? []), ...(takesKey ? (['idempotencyKey'] as const) : [])];
  const all = [
    ...named.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(query ? parametersIn(query, writer) : []),
  ];
  const responses: Record<number, Json> = {};
  for (const [status, answer] of Object.entries(answers)) responses[Number(status)] = describeAnswer(answer, operation, writer);
  for (const [status, refusals] of refusalsOf(operation))
    responses[status] = describeRefusals(status, refusals, operation, writer);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf[caller],
    ...(all.length > 0 && { parameters: all }),
    ...(request && { requestBody: describeRequest(request, writer) }),
    responses,
  };
}

const securityOf: Readonly<Record<Operation['caller'], Json>> = {
  merchant: [{ merchantKey: [] }],
  platform: [{ bearerAuthApplication: ['r:application'] }],
  // The key pair may come in the body.
  client: [{ merchantKey: [] }, {}],
  anyone: [],
};

function describeRequest({ body, type = 'application/json', isOptional, examples }: Request, writer: SchemaWriter): Json {
  return { required: !isOptional, content: { [type]: { schema: writer.schemaOf(body, 'sent'), examples } } };
}

function parametersIn({ struct, words, example }: Query, writer: SchemaWriter): Json[] {
  return Object.entries(struct.schema as Record<string, AnyStruct>).map(([name, field]) => {
    const schema = writer.schemaOf(field, 'sent');
    return {
      name,
      in: 'query',
      description: words[name],
      schema,
      ...(schema['type'] === 'array' && { style: 'form', explode: true }),
      ...(example[name] !== undefined && { example: example[name] }),
    };
  });
}

/** The components that something refers to. */
function used(all: Record<string, Json>, paths: Json, kind: string): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}
