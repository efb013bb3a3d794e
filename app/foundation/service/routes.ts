import { HealthChecks } from '@adonisjs/core/health'
import app from '@adonisjs/core/services/app'
import { Type } from '@sinclair/typebox'
import { ok } from '../api/operation/response.js'
import { open, operation, type AnyOperation } from '../api/operation/declaration.js'
import { currentDocument } from '../api/openapi/current_document.js'
import { problemPage, REFERENCE_POLICY, referencePage } from '../api/openapi/reference_page.js'
import { allProblems } from '../core/problems/catalog.js'
import { refuse } from '../core/problems/problem.js'
import { list, nonEmpty, object, text, enumOf } from '../core/schemas.js'
import { failingChecks, healthReport } from './health.js'

/** Caches bytes that depend only on the code; made at the first request. */
function once(make: () => string): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= Buffer.from(make()))
}

const openApi = once(() => JSON.stringify(currentDocument()))
const reference = once(() => referencePage(currentDocument()))

const html = (bytes: string | Buffer) => ({
  status: 200,
  raw: { bytes, contentType: 'text/html; charset=utf-8' },
  headers: {
    'content-security-policy': REFERENCE_POLICY,
    'x-content-type-options': 'nosniff',
  },
})

const page = (description: string, title: string) => ({
  description,
  contentType: 'text/html',
  example: `<!doctype html><html lang="en"><head><title>${title}</title></head>…</html>`,
})

const status = object('A successful probe.', {
  status: Type.Literal('ok', { description: 'Always `ok`; failures return a problem.' }),
})

const found = (of: string) => enumOf(['ok', 'warning', 'error'], of)

export const operations: AnyOperation[] = [
  operation({
    id: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get the OpenAPI description',
    description: 'Returns the OpenAPI 3.1 document of this service, with an entity tag.',
    beyond: true,
    access: open,
    responses: {
      200: {
        description: 'The document.',
        schema: Type.Record(Type.String(), Type.Unknown(), {
          description: 'An OpenAPI 3.1 document.',
        }),
        example: {
          openapi: '3.1.0',
          info: { title: 'Tarmac', version: '0.1.0' },
          paths: { '/org/{orgId}': { get: { operationId: 'getOrganization' } } },
        },
      },
    },
    handle: async () => ({
      status: 200,
      raw: { bytes: openApi(), contentType: 'application/json; charset=utf-8' },
    }),
  }),
  operation({
    id: 'getReference',
    method: 'GET',
    path: '/docs/plain',
    tag: 'Service',
    summary: 'Get the reference page',
    description:
      'Returns the reference of all operations and events as one page without JavaScript. `/docs` adds a form to try each operation.',
    beyond: true,
    access: open,
    responses: { 200: page('The reference page.', 'Tarmac reference') },
    handle: async () => html(reference()),
  }),
  operation({
    id: 'getProblem',
    method: 'GET',
    path: '/problems/{code}',
    tag: 'Service',
    summary: 'Get the page of a problem code',
    description: 'Explains the `code` of a problem; its `type` links here.',
    beyond: true,
    access: open,
    responses: { 200: page('The page of the code.', 'Not found') },
    handle: async ({ params }) => {
      if (!allProblems().has(params.code)) throw refuse('not_found')
      return html(problemPage(params.code))
    },
  }),
  operation({
    id: 'getLiveness',
    method: 'GET',
    path: '/health/live',
    tag: 'Service',
    summary: 'Probe whether the process lives',
    description: 'Responds as long as the process runs, even while it shuts down.',
    beyond: true,
    access: open,
    whileEnding: true,
    responses: {
      200: { description: 'The process runs.', schema: status, example: { status: 'ok' } },
    },
    handle: async () => ok({ status: 'ok' }),
  }),
  operation({
    id: 'getReadiness',
    method: 'GET',
    path: '/health/ready',
    tag: 'Service',
    summary: 'Probe whether the service can work',
    description:
      'Returns 200 if the database can be read and written and the rate limit store responds, 503 otherwise.',
    beyond: true,
    access: open,
    responses: {
      200: { description: 'The service is ready.', schema: status, example: { status: 'ok' } },
    },
    handle: async () => {
      const silent = await failingChecks(await app.container.make(HealthChecks))
      if (silent.length > 0) {
        throw refuse('not_ready', {
          detail: silent.map((name) => `The ${name} does not respond.`).join(' '),
        })
      }
      return ok({ status: 'ok' })
    },
  }),
  operation({
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Get the results of all checks',
    description:
      'Returns all checks by name, with warnings about what the service can do without, such as a ' +
      'disabled plugin. Always 200; probes use `/health/ready`.',
    beyond: true,
    access: open,
    responses: {
      200: {
        description: 'The results.',
        schema: object('Results of all checks.', {
          status: found('Worst status of any check.'),
          checks: list(
            'The checks.',
            object('A check.', {
              name: nonEmpty('Name of the check.', 200),
              status: found('Status of the check; with a warning the service still works.'),
              message: text('Human-readable result.', 2000),
            }),
            50
          ),
        }),
        example: {
          status: 'warning',
          checks: [
            { name: 'database', status: 'ok', message: 'Successfully connected.' },
            {
              name: 'plugins of integration providers',
              status: 'warning',
              message: 'Disabled: acme. The log and provider:plugins say why.',
            },
          ],
        },
      },
    },
    handle: async () => ok(await healthReport(await app.container.make(HealthChecks))),
  }),
]
