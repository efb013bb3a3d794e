import {
  isSameVersion,
  ProviderError,
  type AppStore,
  type LocalizedMetadata,
  type Mutation,
  type OnReviewInProgress,
  type Page,
  type PluginContext,
  type StoreBuild,
  type StoreReview,
  type StoreVersion,
} from '@tarmac/plugin-kit'
import { instant, type StoreKind } from '../core/index.js'
import { Requests } from './requests.js'

const MINUTE = 60_000

/** A hostile store behind the port. */
export abstract class StoreCapability implements AppStore {
  protected readonly requests: Requests
  readonly #texts = new Map<string, LocalizedMetadata[]>()

  constructor(ctx: PluginContext, kind: StoreKind) {
    this.requests = new Requests(ctx, kind)
  }

  async listVersions({
    version,
    states,
  }: Parameters<AppStore['listVersions']>[0]): Promise<Page<StoreVersion>> {
    const { store, world } = this.requests
    const found: StoreVersion[] = await this.requests.read((beganAt, endsAt) =>
      store.read(beganAt, endsAt, world.random)
    )
    const items = found.filter(
      (each) =>
        (version === undefined || isSameVersion(each.version, version)) &&
        (states === undefined || states.some((state) => state === each.status.state))
    )
    return { items }
  }

  async listBuilds({
    version,
    since,
  }: Parameters<AppStore['listBuilds']>[0]): Promise<Page<StoreBuild>> {
    const { store } = this.requests
    return this.requests.read((beganAt, endsAt) => {
      const reading = { beganAt: instant(beganAt), observedAt: instant(endsAt), lagSeconds: 0 }
      const builds = store.buildsAt(endsAt).map(({ number, usableAt, ...build }): StoreBuild => {
        const state = usableAt <= endsAt ? 'ready' : 'processing'
        return {
          id: number,
          number,
          version: build.version ?? version ?? '',
          uploadedAt: instant(usableAt - 10 * MINUTE),
          status: { state, raw: state, ...reading },
        }
      })
      const items = builds.filter(
        (each) =>
          (version === undefined || isSameVersion(each.version, version)) &&
          (since === undefined || each.uploadedAt >= since)
      )
      return { items }
    })
  }

  async prepare(
    { version, buildNumber, phased, fraction, release }: Parameters<AppStore['prepare']>[0],
    { idempotencyKey }: Mutation
  ): Promise<StoreVersion> {
    const call = { method: 'prepare', version, buildNumber, phased, fraction, release } as const
    return (await this.requests.call(call, idempotencyKey)).after
  }

  async submit(
    versionId: string,
    { onReviewInProgress, idempotencyKey }: Mutation & { onReviewInProgress: OnReviewInProgress }
  ): Promise<StoreVersion> {
    const call = { method: 'submit', version: nameIn(versionId), onReviewInProgress } as const
    return (await this.requests.call(call, idempotencyKey)).after
  }

  async cancelReview(versionId: string, { idempotencyKey }: Mutation): Promise<StoreVersion> {
    const call = { method: 'cancelReview', version: nameIn(versionId) } as const
    return (await this.requests.call(call, idempotencyKey)).after
  }

  async setRollout(
    versionId: string,
    to: Parameters<AppStore['setRollout']>[1],
    { onReviewInProgress, idempotencyKey }: Mutation & { onReviewInProgress: OnReviewInProgress }
  ): Promise<{ before: StoreVersion; after: StoreVersion }> {
    const version = nameIn(versionId)
    const call = { method: 'setRollout', version, to, onReviewInProgress } as const
    const { before, after } = await this.requests.call(call, idempotencyKey)
    // A rollout that was changed was there before.
    if (!before) throw new ProviderError('protocol', 'No version before', { outcome: 'applied' })
    return { before, after }
  }

  getMetadata(versionId: string): Promise<LocalizedMetadata[]> {
    return this.requests.read(() => this.#texts.get(versionId) ?? [])
  }

  setMetadata(versionId: string, entries: LocalizedMetadata[]): Promise<LocalizedMetadata[]> {
    return this.requests.read(() => {
      const others = (this.#texts.get(versionId) ?? []).filter(
        ({ locale }) => !entries.some((each) => each.locale === locale)
      )
      const texts = [...others, ...entries]
      this.#texts.set(versionId, texts)
      return texts
    })
  }

  listReviews(): Promise<Page<StoreReview>> {
    return this.requests.read(() => ({ items: [] }))
  }
}

/** An id names the track before the version. */
export const nameIn = (versionId: string) => versionId.slice(versionId.indexOf('/') + 1)
