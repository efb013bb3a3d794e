import type { Mutation, PluginContext } from '#plugin-kit/context'
import type { HttpRequest } from '#plugin-kit/http'

/** Requests a change from a world; idempotent by its key. */
export async function changed<Body>(
  { http }: PluginContext,
  { idempotencyKey }: Mutation,
  request: Pick<HttpRequest, 'path' | 'params' | 'json'>
): Promise<Body> {
  const { body } = await http.send<Body>({
    method: 'POST',
    ...request,
    headers: { 'idempotency-key': idempotencyKey },
    idempotent: true,
  })
  return body
}
