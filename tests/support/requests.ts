import { TEXT_TYPES, type AnyOperation } from '#foundation/api/operation/declaration'
import type { Api, ApiAnswer, ApiOptions } from './api.js'
import { form } from './form.js'

/** The smallest PNG, which every operation with a file accepts. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

/** The request body of an app icon. */
export const ICON = form({ file: PICTURE, fileName: 'icon.png', contentType: 'image/png' })

/** Returns the request body of a configuration file. */
export const yaml = (raw: string): ApiOptions => ({
  raw,
  headers: { 'content-type': 'application/yaml' },
})

/**
 * Returns the JSON example of an operation's declaration: of its body, or of the data beside a
 * file.
 */
export function exampleJson(operation: AnyOperation): unknown {
  const body = operation.body as AnyOperation['body'] | undefined
  if (body?.kind === 'json') return body.example
  return body?.kind === 'upload' ? body.data?.example : undefined
}

/** Returns a request with the operation's example, or with other JSON in its place. */
export function exampleRequest(
  operation: AnyOperation,
  json: unknown = exampleJson(operation)
): ApiOptions {
  const body = operation.body as AnyOperation['body'] | undefined
  switch (body?.kind) {
    case 'text': {
      const headers = { 'content-type': TEXT_TYPES[body.format][0] }
      return { raw: body.example, headers }
    }
    case 'wire': {
      const { contentType } = body.content ?? {}
      const headers = { ...body.example }
      const hasBytes = contentType !== undefined && operation.method === 'PATCH'
      return { headers: hasBytes ? { ...headers, 'content-type': contentType } : headers }
    }
    case 'upload':
      return form({ file: PICTURE }, json === undefined ? undefined : JSON.stringify(json))
    default:
      return json === undefined ? {} : { json }
  }
}

/** Sends an operation's example, or other JSON, to a path. */
export function call(
  api: Api,
  operation: AnyOperation,
  path: string,
  json?: unknown
): Promise<ApiAnswer<any>> {
  const request = exampleRequest(operation, json)
  const headers = { ...request.headers, 'x-request-id': 'req_compared' }
  return api.send(operation.method, path, { ...request, headers, uncounted: true })
}
