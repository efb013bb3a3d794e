import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { paperPlugin } from '#tests/support/plugins/paper'

/** An experimentation service in memory, with pages of two. */
export class Flags {
  readonly flags: Flag[] = []
  switches = 0
  /** The environment that the flags are in. */
  environment = 'live'
  fails: ProviderErrorCode | null = null
  /** A change by somebody else between the read and the switch. */
  meanwhile: (() => void) | null = null
  /** Runs once a flag is switched, before the answer. */
  after: (() => void) | null = null

  add(key: string, given: Partial<Flag> = {}) {
    const id = `id-${key}`
    const flag = { id, key, name: key, enabled: false, variations: [], rules: [], etag: '1' }
    this.flags.push({ ...flag, ...given })
  }

  #find(environment: string, key: string): Flag | null {
    if (this.fails) throw new ProviderError(this.fails, 'It fails', { outcome: 'notApplied' })
    return (environment === this.environment && this.flags.find((each) => each.key === key)) || null
  }

  capability = {
    listFlags: async (environment: string, _filter: object, cursor = '0') => {
      this.#find(environment, '')
      const next = Number(cursor) + 2
      const items = this.flags.slice(Number(cursor), next).map((each) => ({ ...each }))
      return next < this.flags.length ? { items, next: String(next) } : { items }
    },
    getFlag: async (environment: string, key: string) => {
      const found = this.#find(environment, key)
      return found && { ...found }
    },
    setEnabled: async (
      environment: string,
      key: string,
      enabled: boolean,
      { etag }: { etag?: string }
    ) => {
      this.meanwhile?.()
      this.switches += 1
      const flag = this.#find(environment, key)!
      if (etag !== undefined && flag.etag !== etag) {
        throw new ProviderError('preconditionFailed', 'Changed', { outcome: 'notApplied' })
      }
      Object.assign(flag, { enabled, etag: String(Number(flag.etag) + 1) })
      this.after?.()
      return { ...flag }
    },
  }

  /** As a plugin, `paper-flags`. */
  get plugin() {
    const { capability } = this
    class InMemory {
      constructor() {
        Object.assign(this, capability)
      }
    }
    const paper = paperPlugin('paper-flags', {
      experimentation: { type: 'launchdarkly', features: [] },
    })
    return definePlugin({
      ...paper,
      capabilities: { experimentation: async () => ({ default: InMemory as never }) },
    })
  }
}

/** Makes an app whose flags are in memory, with a planned release. */
export async function makeFlags(cleanup: (work: () => Promise<void>) => void) {
  const flags = new Flags()
  await loadTestPlugins({ 'paper-flags': async () => ({ default: flags.plugin }) })
  cleanup(async () => void (await loadTestPlugins()))
  const train = await makeTrain(['4.2.0'])
  const { world, app, path } = train
  const { id: provider } = await connect(world, 'paper-flags')
  const data = { projectId: 'shop', environmentId: 'live', versionAttributeName: 'app_version' }
  await world.write((scope) =>
    replaceIntegrations(scope, app, [
      { key: 'flags', type: 'launchdarkly', kind: 'experimentation', provider, data },
    ])
  )
  const base = path('4.2.0')
  return {
    ...train,
    flags,
    list: `${base}/featureFlags`,
    flag: (name: string) => `${base}/featureFlag/${name}`,
  }
}
