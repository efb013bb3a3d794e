import { unitOfWork } from '#foundation/core/services'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { notifications } from '#notifications/module'
import { planning } from '#planning/module'
import type { ChatMessage } from '#plugin-kit/capabilities/work'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { evaluateOnTime } from '#releases/lifecycle/evaluate_on_time'
import { findRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { loadTestPlugins } from '#tests/support/plugins/index'
import memory from '#tests/support/plugins/memory'

export { MINUTE }
export const HOUR = 60 * MINUTE

interface Post {
  channel: string
  id: string
  threadOf?: string
  message: ChatMessage
  edits: number
}

/** A chat in memory that can be made to fail, and may be able to edit. */
export class Talk {
  readonly posts: Post[] = []
  /** Channels that were made, by name. */
  readonly made = new Map<string, { id: string; members: string[] }>()
  /** Idempotency keys of all requested posts. */
  readonly keys: string[] = []
  calls = 0
  fails: { code: ProviderErrorCode; outcome: 'notApplied' | 'unknown' } | null = null

  constructor(readonly canEdit: boolean) {}

  texts(): string[] {
    return this.posts.map(({ message }) => message.text)
  }

  capability() {
    const take = () => {
      this.calls += 1
      if (!this.fails) return
      const { code, outcome } = this.fails
      throw new ProviderError(code, `The chat says ${code}`, { outcome })
    }
    const update = async (channel: string, { id }: { id: string }, message: ChatMessage) => {
      take()
      const post = this.posts.find((each) => each.channel === channel && each.id === id)
      if (!post) throw new ProviderError('notFound', 'There is none', { outcome: 'notApplied' })
      Object.assign(post, { message, edits: post.edits + 1 })
      return { id }
    }
    return {
      listChannels: async () => ({ items: [] }),
      post: async (
        channel: string,
        message: ChatMessage,
        { idempotencyKey: key, threadOf }: { idempotencyKey: string; threadOf?: string }
      ) => {
        this.keys.push(key)
        take()
        const id = `m${this.calls}`
        this.posts.push({ channel, id, threadOf, message, edits: 0 })
        return { id }
      },
      ...(this.canEdit && { update }),
      ensureChannel: async (name: string, members: string[]) => {
        take()
        const made = this.made.get(name) ?? { id: `R${this.made.size + 1}`, members }
        this.made.set(name, made)
        return { id: made.id }
      },
      findUserByEmail: async (email: string) =>
        email.endsWith('@acme.example') ? { id: `U-${email.split('@')[0]}` } : null,
    }
  }
}

/** Makes an app whose chat is `talk`, and workers that notify it. */
export async function setTalk(
  versions: readonly string[] = [],
  { canEdit = true, channels = ['C1'] }: { canEdit?: boolean; channels?: string[] } = {}
) {
  const talk = new Talk(canEdit)
  class InMemory {
    constructor() {
      Object.assign(this, talk.capability())
    }
  }
  const plugin = definePlugin({
    ...memory,
    capabilities: {
      ...memory.capabilities,
      chat: async () => ({ default: InMemory as never }),
    },
  })
  await loadTestPlugins({ memory: async () => ({ default: plugin }) })
  const stage = await Stage.set(...planning.work!, ...notifications.work!, evaluateOnTime)
  const train = await makeTrain(versions)
  const { world, app, admin } = train
  const { id: provider } = await connect(world, 'memory')
  const data = { primaryChannelIds: channels }
  const install = (given = [{ key: 'a', type: 'slack', kind: 'chat' as const, provider, data }]) =>
    world.write((scope) => replaceIntegrations(scope, app, given))
  await install()
  return {
    ...train,
    stage,
    talk,
    provider,
    install,
    integration: async () =>
      (await integrationEntities(unitOfWork.readScope(world.principal), app))[0].id,
    at: (path: string) => `/app/${app}/${path}`,
    /** Records an event of a release at the time of the stage. */
    happen: (version: string, title: string, stepConfigId?: string) =>
      stage.write(async (scope) => {
        const release = await findRelease(scope, app, `${app}:${version}`)
        recordReleaseEvent(scope, release, {
          type: 'release.regressionStatusUpdated',
          title,
          stepConfigId,
          payload: { previous: { regressionStatus: 'notStarted' } },
        })
      }, world),
    set: (body: object) => admin.put(`/app/${app}/notifications`, body),
    /** Advances the clock, and has the worker carry out the jobs that are due. */
    pass: async (milliseconds = MINUTE) => {
      stage.clock.advance(milliseconds)
      while ((await stage.worker.turn()) > 0);
    },
    failures: async () =>
      (
        (await admin.get(`/app/${app}/timelineEvents`)).body.data as {
          type: string
          title: string
        }[]
      )
        .filter(({ type }) => type === 'app.notificationFailed')
        .map(({ title }) => title),
  }
}
