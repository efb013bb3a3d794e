import { askProvider } from '#integrations/ask_provider'
import { integrationsOfApp } from '#integrations/queries/app_integrations'
import type { Scope } from '#foundation/core/scope'
import { Problem } from '#foundation/core/problems/problem'
import { manifest } from './provider/manifest.js'

/** The time CI waits for the code host, in milliseconds. */
const TIMEOUT_MS = 15_000

/**
 * Adds the commit to a request for a CI run whose app has its code outside of the world: the tip of
 * the branch, read from the host of the code. Any other request is returned as it is.
 * @returns the request; a response if there is no such branch, or the host does not answer
 */
export async function withCommit(scope: Scope, request: Request): Promise<Request | Response> {
  if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/ci/runs') return request
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as Record<string, unknown> | null
  const { app, branch, sha } = body ?? {}
  if (typeof app !== 'string' || typeof branch !== 'string' || sha !== undefined) return request
  const integration = (await integrationsOfApp(scope, app)).find(
    ({ kind }) => kind === 'versionControl'
  )
  if (!integration || integration.pluginId === manifest.id) return request
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const question = { integration, kind: 'versionControl', signal } as const
  try {
    const tip = await askProvider(scope, question, (code) => code.getBranch(branch))
    if (tip === null) return refusal(422, `The repository has no branch ${branch}`)
    return new Request(request, { body: JSON.stringify({ ...body, sha: tip.sha }) })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return refusal(503, `The code cannot be read: ${error.message}`)
  }
}

const refusal = (status: number, message: string) => Response.json({ message }, { status })
