import type {
  AppStore,
  BetaTesting,
  LocalizedMetadata,
  NewReviewFile,
  OnReviewInProgress,
  ReviewFile,
  StoreBuild,
  StoreReview,
  StoreVersion,
  StoreVersionState,
} from '../../capabilities/stores.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation, Observed, PluginContext } from '../../context.js'
import type { AppStoreScenario, Scenario } from '../../fake/scenario.js'
import { isProviderError, ProviderError } from '../../provider_error.js'
import { isSameVersion } from '../../version_names.js'
import {
  Api,
  found,
  optionsOf,
  paged,
  Refusal,
  WorldFake,
  type FakeRequest,
  type Body,
} from './kinds_base.js'

type World = Required<Pick<Scenario, 'appStore' | 'betaTesting'>>
type VendorVersion = AppStoreScenario['versions'][number]
type VendorBuild = AppStoreScenario['builds'][number]
type VendorReview = AppStoreScenario['reviews'][number]

/** A provider of a store and of beta testing. */
export class StoresFake extends WorldFake<World> {
  protected world: World = {
    appStore: { builds: [], versions: [], metadata: [], reviews: [] },
    betaTesting: { groups: [], builds: [], distributed: [], notes: [] },
  }

  protected answerTo(requested: FakeRequest): object {
    const { what, id, more, query, body, isChange } = requested
    const { appStore, betaTesting } = this.world
    switch (`${isChange ? 'change ' : ''}${what} ${more ?? ''}`.trim()) {
      case 'versions': {
        const version = query.get('version')
        const is = (each: VendorVersion) => version === null || isSameVersion(each.version, version)
        return id === undefined ? paged(appStore.versions.filter(is), query) : this.#version(id)
      }
      case 'change versions':
        return this.#prepare(body)
      case 'change versions state':
        return this.#move(this.#version(id!), body)
      case 'change versions rollout':
        return this.#roll(this.#version(id!), body)
      case 'versions texts':
        return { items: appStore.metadata.filter(({ versionId }) => versionId === id) }
      case 'change versions texts':
        return this.#write(this.#version(id!), body.texts)
      case 'builds':
        return paged(builtFor(appStore.builds, query), query)
      case 'versions files':
        return {
          items: (appStore.reviewFiles ?? []).filter(({ versionId }) => versionId === id),
        }
      case 'change versions files':
        return this.#attach(this.#version(id!), body)
      case 'reviews':
        return paged(
          appStore.reviews.filter(({ rating }) => rating <= Number(query.get('most') ?? 5)),
          query
        )
      case 'change reviews':
        return Object.assign(
          found(appStore.reviews, (each) => each.id === id),
          body
        )
      case 'groups':
        return paged(betaTesting.groups, query)
      case 'betabuilds':
        return paged(builtFor(betaTesting.builds, query), query)
      case 'change betabuilds notes':
        return this.#note(id!, body)
      default:
        return this.#distribute(id!, body)
    }
  }

  #version(id: string): VendorVersion {
    return found(this.world.appStore.versions, (each) => each.id === id)
  }

  #prepare({ version, buildNumber }: Body): VendorVersion {
    const { versions, builds } = this.world.appStore
    const isNamed = (each: { version: string }) => isSameVersion(each.version, version)
    const build = found(builds, (each) => each.number === buildNumber && isNamed(each))
    const there = versions.find(isNamed)
    if (there) return there
    const id = `${versions.length + 1}`
    const rest = { state: 'preparing', fraction: null, rollout: 'inactive' } as const
    const made: VendorVersion = { id, version: build.version, buildNumber, ...rest }
    versions.push(made)
    return made
  }

  #move(version: VendorVersion, { from, to }: Body): VendorVersion {
    if (!(from as string[]).includes(version.state)) throw new Refusal(409)
    return Object.assign(version, { state: to })
  }

  /** If another version is in review, refuses the change, or cancels that review and restarts it. */
  #roll(version: VendorVersion, { inReview, change }: Body): VendorVersion {
    const others = this.world.appStore.versions.filter(({ state }) => state === 'inReview')
    if (inReview === 'fail' && others.length > 0) throw new Refusal(423)
    for (const other of others) {
      if (inReview === 'drop') other.state = 'preparing'
      else other.submissions = (other.submissions ?? 0) + 1
    }
    return Object.assign(version, change)
  }

  #write({ id, state }: VendorVersion, texts: LocalizedMetadata[]): object {
    if (state === 'inReview') throw new Refusal(409)
    const { appStore } = this.world
    for (const { locale, whatsNew = '' } of texts) {
      appStore.metadata = appStore.metadata.filter(
        (each) => each.versionId !== id || each.locale !== locale
      )
      appStore.metadata.push({ versionId: id, locale, whatsNew })
    }
    return { items: appStore.metadata.filter(({ versionId }) => versionId === id) }
  }

  #attach({ id: versionId }: VendorVersion, { name, size }: Body): object {
    const { appStore } = this.world
    const file = { versionId, name: String(name), size: Number(size) }
    appStore.reviewFiles = [...(appStore.reviewFiles ?? []), file]
    return file
  }

  #note(buildId: string, { notes }: Body): object {
    const { betaTesting } = this.world
    for (const { locale, text } of notes as { locale: string; text: string }[]) {
      betaTesting.notes = betaTesting.notes.filter(
        (each) => each.buildId !== buildId || each.locale !== locale
      )
      betaTesting.notes.push({ buildId, locale, text })
    }
    return {}
  }

  #distribute(buildId: string, { groups: ids }: Body): object {
    const { builds, groups, distributed } = this.world.betaTesting
    found(builds, ({ id }) => id === buildId)
    const given = (ids as string[]).map((id) => found(groups, (each) => each.id === id))
    for (const { id: groupId } of given) {
      const isGiven = distributed.some(
        (each) => each.buildId === buildId && each.groupId === groupId
      )
      if (!isGiven) distributed.push({ buildId, groupId })
    }
    return { state: given.every(({ internal }) => internal) ? 'testing' : 'inReview' }
  }
}

function builtFor(builds: readonly VendorBuild[], query: URLSearchParams): VendorBuild[] {
  const version = query.get('version')
  return builds.filter((each) => version === null || isSameVersion(each.version, version))
}

const VERSION_STATES: readonly StoreVersionState[] = [
  'preparing',
  'inReview',
  'rejected',
  'pendingRelease',
  'rolledOutPartially',
  'live',
]
const BUILD_STATES = ['processing', 'ready', 'invalid', 'expired'] as const

class StoreApi extends Api {
  observed<State extends string>(states: readonly State[], raw: string): Observed<State> {
    const state = states.find((each) => each === raw) ?? 'unknown'
    const observedAt = this.ctx.now().toISOString()
    return { state, raw, beganAt: observedAt, observedAt, lagSeconds: 0 }
  }

  buildOf({ id, number, version, uploadedAt, state }: VendorBuild): StoreBuild {
    return { id, number, version, uploadedAt, status: this.observed(BUILD_STATES, state) }
  }
}

export class SampleStore implements Required<AppStore> {
  protected readonly api: StoreApi

  constructor(protected readonly ctx: PluginContext) {
    this.api = new StoreApi(ctx)
  }

  protected versionOf({ id, version, state, fraction, rollout }: VendorVersion): StoreVersion {
    return {
      id,
      version,
      status: this.api.observed(VERSION_STATES, state),
      rollout: { mode: 'staged', state: rollout, fraction: fraction ?? undefined },
    }
  }

  async listVersions({ version }: { version?: string }, cursor?: string) {
    const { items, ...rest } = await this.api.list<VendorVersion>('versions', cursor, { version })
    return { items: items.map((each) => this.versionOf(each)), ...rest }
  }

  async listBuilds({ version }: { version?: string }, cursor?: string) {
    const { items, ...rest } = await this.api.list<VendorBuild>('builds', cursor, { version })
    return { items: items.map((each) => this.api.buildOf(each)), ...rest }
  }

  async prepare(input: Parameters<AppStore['prepare']>[0], { idempotencyKey }: Mutation) {
    return this.versionOf(await this.api.change('versions', input, idempotencyKey))
  }

  async getMetadata(id: string): Promise<LocalizedMetadata[]> {
    return (await this.api.list<LocalizedMetadata>(`versions/${id}/texts`)).items
  }

  async setMetadata(id: string, texts: LocalizedMetadata[], { idempotencyKey }: Mutation) {
    const path = `versions/${id}/texts`
    return (await this.api.change<{ items: LocalizedMetadata[] }>(path, { texts }, idempotencyKey))
      .items
  }

  submit(id: string, m: Mutation & { onReviewInProgress: OnReviewInProgress }) {
    const more = m.onReviewInProgress === 'replace' ? ['inReview'] : []
    return this.move(id, { from: ['preparing', 'rejected', ...more], to: 'inReview' }, m)
  }

  cancelReview(id: string, m: Mutation) {
    return this.move(id, { from: ['inReview'], to: 'preparing' }, m)
  }

  release(id: string, m: Mutation) {
    return this.move(id, { from: ['pendingRelease'], to: 'live' }, m)
  }

  async move(id: string, change: { from: string[]; to: string }, { idempotencyKey }: Mutation) {
    return this.versionOf(await this.api.change(`versions/${id}/state`, change, idempotencyKey))
  }

  async setRollout(
    id: string,
    to: Parameters<AppStore['setRollout']>[1],
    m: Parameters<AppStore['setRollout']>[2]
  ) {
    if ('fraction' in to) {
      if (to.fraction > 0 && to.fraction <= 1) return this.roll(id, { fraction: to.fraction }, m)
      throw new ProviderError('invalid', 'No share of users', { outcome: 'notApplied' })
    }
    const changes = {
      start: { rollout: 'active' },
      resume: { rollout: 'active' },
      pause: { rollout: 'paused' },
      halt: { rollout: 'halted' },
      complete: { rollout: 'complete', fraction: 1, state: 'live' },
    }
    return this.roll(id, changes[to.action], m)
  }

  /** @param m.onReviewInProgress `drop` has the fake forget a review, as no good plugin wants */
  async roll(
    id: string,
    change: object,
    m: Mutation & { onReviewInProgress: OnReviewInProgress | 'drop' }
  ) {
    const before = this.versionOf((await this.api.get<VendorVersion>(`versions/${id}`))!)
    const json = { inReview: m.onReviewInProgress, change }
    try {
      const path = `versions/${id}/rollout`
      const changed = await this.api.change<VendorVersion>(path, json, m.idempotencyKey)
      return { before, after: this.versionOf(changed) }
    } catch (error) {
      if (!isProviderError(error) || error.detail.status !== 423) throw error
      const detail = { outcome: 'notApplied', reason: 'reviewInProgress' } as const
      throw new ProviderError('conflict', 'Something is in review', detail)
    }
  }

  async listReviews({ maxRating }: { maxRating?: number }, cursor?: string) {
    const most = maxRating === undefined ? undefined : String(maxRating)
    const { items, ...rest } = await this.api.list<VendorReview>('reviews', cursor, { most })
    return { items: items.map(reviewOf), ...rest }
  }

  async replyToReview(id: string, reply: string, { idempotencyKey }: Mutation) {
    return reviewOf(await this.api.change<VendorReview>(`reviews/${id}`, { reply }, idempotencyKey))
  }

  async listReviewFiles(id: string): Promise<ReviewFile[]> {
    const { items } = await this.api.list<VendorFile>(`versions/${id}/files`)
    return items.map(fileOf)
  }

  async addReviewFile(id: string, file: NewReviewFile, { idempotencyKey }: Mutation) {
    const { length: size } = await file.read(0, file.size)
    const sent = { name: file.name, size }
    return fileOf(await this.api.change<VendorFile>(`versions/${id}/files`, sent, idempotencyKey))
  }
}

interface VendorFile {
  name: string
  size: number
}
const fileOf = ({ name, size }: VendorFile): ReviewFile => ({ id: name, name, size })

const reviewOf = ({ id, rating, text, at, reply }: VendorReview): StoreReview => ({
  id,
  rating,
  text,
  at,
  ...(reply === null ? {} : { reply: { text: reply, state: 'published' } }),
})

const BETA_STATES = ['processing', 'inReview', 'testing', 'rejected', 'expired'] as const

export class SampleBeta implements BetaTesting {
  protected readonly api: StoreApi

  constructor(protected readonly ctx: PluginContext) {
    this.api = new StoreApi(ctx)
  }

  listGroups(cursor?: string) {
    return this.api.list<{ id: string; name: string; internal: boolean }>('groups', cursor)
  }

  async listBuilds({ version }: { version?: string }, cursor?: string) {
    const { items, ...rest } = await this.api.list<VendorBuild>('betabuilds', cursor, { version })
    return { items: items.map((each) => this.api.buildOf(each)), ...rest }
  }

  async setNotes(
    id: string,
    notes: { locale: string; text: string }[],
    { idempotencyKey }: Mutation
  ): Promise<void> {
    await this.api.change(`betabuilds/${id}/notes`, { notes }, idempotencyKey)
  }

  async distribute(id: string, groups: string[], { idempotencyKey }: Mutation) {
    const path = `betabuilds/${id}/groups`
    const { state } = await this.api.change<{ state: string }>(path, { groups }, idempotencyKey)
    return this.api.observed(BETA_STATES, state)
  }
}

/** Returns a plugin of two kinds, one of which is changed. */
export function storesSample({
  store = SampleStore,
  beta = SampleBeta,
}: {
  store?: new (ctx: PluginContext) => SampleStore
  beta?: new (ctx: PluginContext) => SampleBeta
} = {}): ConformanceOptions {
  return optionsOf(
    () => new StoresFake(),
    {
      appStore: async () => ({ default: store }),
      betaTesting: async () => ({ default: beta }),
    },
    { appStore: ['release', 'replyToReview', 'listReviewFiles', 'addReviewFile'] },
    { appStore: { bundleId: 'com.acme.app' }, betaTesting: { bundleId: 'com.acme.app' } }
  )
}
