import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PullRequestEvent, PushEvent, WorkflowRunEvent } from '@octokit/webhooks-types'
import {
  type InboundEvent,
  type InboundRequest,
  type InboundTarget,
  type InboundWebhooks,
  type PluginContext,
  unless,
} from '@tarmac/plugin-kit'
import { allPages, GitHub, isMoved, isNotFound, reads } from './github.js'
import { manifest } from './manifest.js'

const SIGNATURE = 'x-hub-signature-256'
const DELIVERY = 'x-github-delivery'
const EVENT = 'x-github-event'

/** The credential with the secret of an App's webhook. */
const APP_SECRET = 'webhookSecret'

interface Hint {
  repository: string
}

/** What is read of a payload; which members there are depends on the event. */
type Payload = Partial<
  Pick<PushEvent, 'ref' | 'repository'> &
    Pick<PullRequestEvent, 'pull_request'> &
    Pick<WorkflowRunEvent, 'workflow_run'>
>

/** Returns the ids of a repository's webhooks that call an address, oldest first. */
async function hooksTo(github: GitHub, url: string): Promise<number[]> {
  const hooks = allPages(
    async (page) => (await github.request('GET /repos/{owner}/{repo}/hooks', page)).data
  )
  const own: number[] = []
  for await (const { id, config } of hooks) if (config.url === url) own.push(id)
  return own.sort((one, other) => one - other)
}

/** Removes a webhook, unless it or its repository is gone already. */
async function removeHook(github: GitHub, id: number): Promise<void> {
  await unless(
    github.request('DELETE /repos/{owner}/{repo}/hooks/{hook_id}', { hook_id: id }),
    (error) => isNotFound(error) || isMoved(error)
  )
}

const webhooks: InboundWebhooks = {
  /**
   * Creates the webhook of a repository, or updates the one with the same address. An App with its
   * own webhook already sends to the address.
   */
  async ensure(ctx, callbackUrl, secret) {
    if (ctx.secret(APP_SECRET) !== undefined) return null
    const github = forRepository(ctx)
    const config = { url: callbackUrl, content_type: 'json', secret, insecure_ssl: '0' }
    const events = [...(manifest.webhooks?.events ?? [])]
    const wanted = { active: true, events, config }
    const [known] = await hooksTo(github, callbackUrl)
    if (known !== undefined) {
      await github.request('PATCH /repos/{owner}/{repo}/hooks/{hook_id}', {
        hook_id: known,
        ...wanted,
      })
      return { id: String(known) }
    }
    const made = await unless(
      github.request('POST /repos/{owner}/{repo}/hooks', { name: 'web', ...wanted }),
      reads(/already exists/i)
    )
    if (made) return { id: String(made.data.id) }
    // Another integration of the repository has just created it.
    const [other] = await hooksTo(github, callbackUrl)
    return other === undefined ? null : { id: String(other) }
  },

  remove: (ctx, { id }) => removeHook(forRepository(ctx), Number(id)),

  verify({ headers, rawBody }, secrets, credentials) {
    const given = headers[SIGNATURE] ?? ''
    const own = credentials[APP_SECRET]
    const good = typeof own === 'string' ? [own, ...secrets] : secrets
    return good.some((secret) => isSigned(given, rawBody, secret))
  },

  parse: (request) => {
    const event = eventIn(request)
    return event ? [event] : []
  },

  concerns({ hint }, target) {
    const { repository } = hint as Hint
    const sent = repository.toLowerCase()
    return repositoriesOf(target).some((each) => each.toLowerCase() === sent)
  },
}

/** Returns the repositories of an integration; issues may come from several. */
function repositoriesOf({ data, app }: InboundTarget): string[] {
  if (Array.isArray(data.projects)) return data.projects.map(String)
  return [String(data.repoName ?? data['x-repository'] ?? app?.repository)]
}

const forRepository = (ctx: PluginContext) => new GitHub(ctx, repositoriesOf(ctx)[0])

function isSigned(given: string, rawBody: Uint8Array, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function eventIn({ headers, rawBody, receivedAt }: InboundRequest): InboundEvent | null {
  const type = headers[EVENT] ?? ''
  const payload = JSON.parse(Buffer.from(rawBody).toString('utf8')) as Payload
  const repository = payload.repository?.full_name ?? ''
  const event = (id: string, at: string | undefined, url?: string): InboundEvent => ({
    deliveryId: headers[DELIVERY] ?? '',
    type,
    occurredAt: at ?? receivedAt.toISOString(),
    subject: { id, ...(url ? { url } : {}) },
    hint: { repository } satisfies Hint,
  })
  const { pull_request: pull, workflow_run: run } = payload
  if (type === 'pull_request' && pull) {
    return event(String(pull.number), pull.updated_at, pull.html_url)
  }
  if (type === 'workflow_run' && run) return event(String(run.id), run.updated_at, run.html_url)
  // A pushed commit may be old, so the event has the time of its delivery.
  if (type === 'push' || type === 'create') return event(payload.ref ?? repository, undefined)
  return null
}

export default webhooks
