import type { AnyOperation } from '#foundation/api/operation/declaration'
import type { Api, ApiAnswer, ApiOptions } from './api.js'

/** A body that the operation's declaration gives as its example. */
export function exampleRequest(operation: AnyOperation): ApiOptions {
  const body = operation.body as AnyOperation['body'] | undefined
  if (!body) return {}
  if (body.kind === 'json') return { json: body.example }
  if (body.kind === 'yaml') {
    return { raw: body.example, headers: { 'content-type': 'application/yaml' } }
  }
  const boundary = 'tarmac-test-boundary'
  const part = `content-disposition: form-data; name="file"; filename="a.bin"`
  return {
    raw: `--${boundary}\r\n${part}\r\ncontent-type: application/octet-stream\r\n\r\nbytes\r\n--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** Sends an operation's example, or another JSON body, to a path. */
export function call(
  api: Api,
  operation: AnyOperation,
  path: string,
  json?: unknown
): Promise<ApiAnswer<any>> {
  const request = json === undefined ? exampleRequest(operation) : { json }
  const headers = { ...request.headers, 'x-request-id': 'req_compared' }
  return api.send(operation.method, path, { ...request, headers, uncounted: true })
}
