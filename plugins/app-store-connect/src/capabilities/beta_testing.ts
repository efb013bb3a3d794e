import {
  type BetaState,
  type BetaTesting,
  type Mutation,
  type Observed,
  type PluginContext,
  unless,
  refused,
} from '@tarmac/plugin-kit'
import { AppStoreConnect, includedOf, LISTED_MS, PAGE } from '../api.js'
import { requireDeclared, requireUsable, listBuilds } from '../builds.js'
import type { Apple } from '../operations.js'
import { BETA_STATES } from '../states.js'
import { byLocale, isThere, madeOrChanged } from '../texts.js'

/** Most groups of a build that Apple includes. */
const MAX_INCLUDED = 50

/** The state of a build that was not submitted for beta review. */
const BEFORE_REVIEW = 'READY_FOR_BETA_SUBMISSION'

/** TestFlight. Internal groups get builds at once, others after a beta review. */
export default class TestFlight implements BetaTesting {
  readonly #api: AppStoreConnect

  constructor(protected readonly ctx: PluginContext) {
    this.#api = new AppStoreConnect(ctx)
  }

  /** One call. */
  async listGroups(cursor?: string) {
    const answer = await this.#groups(await this.#api.appId(), {}, cursor)
    const items = answer.data.map(({ id, attributes }) => ({
      id,
      name: attributes?.name ?? '',
      internal: attributes?.isInternalGroup === true,
    }))
    return { items, ...this.#api.nextOf(answer) }
  }

  listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    return listBuilds(this.#api, filter, cursor, { withTesting: true })
  }

  /** One call, and one for each language. */
  async setNotes(buildId: string, notes: { locale: string; text: string }[], _m: Mutation) {
    const there = await this.#notes(buildId)
    for (const { locale, text } of notes) {
      const known = there.get(locale)
      if (known?.attributes?.whatsNew === text) continue
      if (known) {
        await this.#changeNote(known.id, text)
        continue
      }
      await madeOrChanged({
        make: () => this.#makeNote(buildId, locale, text),
        find: async () => (await this.#notes(buildId)).get(locale),
        change: ({ id }) => this.#changeNote(id, text),
      })
    }
  }

  /**
   * Gives a build to groups: four calls, and one for a beta review. The result is the state in the
   * least advanced group. A build that Apple still prepares for testers is `processing`; it is
   * submitted for beta review when this is called again.
   */
  async distribute(
    buildId: string,
    groupIds: string[],
    _m: Mutation
  ): Promise<Observed<BetaState>> {
    const { build, has, appId } = await this.#build(buildId)
    requireUsable(build)
    requireDeclared(build)
    const groups = await this.#requireGroups(appId, groupIds)
    // A group with access to all builds has this one, and Apple refuses to add it.
    const missing = groups.filter(
      ({ id, attributes }) => !has.includes(id) && attributes?.hasAccessToAllBuilds !== true
    )
    if (missing.length > 0) await this.#give(buildId, missing)
    const isInternal = groups.every(({ attributes }) => attributes?.isInternalGroup === true)
    if (!isInternal) await this.#askReview(buildId)
    const { internal, external, seen } = await this.#state(buildId)
    return this.#api.observed(BETA_STATES, isInternal ? internal : external, seen)
  }

  #groups(appId: string, more: { 'filter[id]'?: string[] }, cursor?: string) {
    return this.#api.read(
      '/v1/betaGroups',
      null,
      {
        'filter[app]': [appId],
        ...more,
        'fields[betaGroups]': ['name', 'isInternalGroup', 'hasAccessToAllBuilds'],
        'limit': PAGE,
      },
      cursor
    )
  }

  async #build(buildId: string) {
    const answer = await this.#api.read('/v1/builds/{id}', buildId, {
      'include': ['app', 'betaGroups'],
      'fields[builds]': [
        'version',
        'expired',
        'processingState',
        'usesNonExemptEncryption',
        'app',
        'betaGroups',
      ],
      'fields[apps]': ['bundleId'],
      'fields[betaGroups]': ['name'],
      'limit[betaGroups]': MAX_INCLUDED,
    })
    const { app, betaGroups } = answer.data.relationships ?? {}
    return {
      build: answer.data,
      has: [
        ...(betaGroups?.data ?? []).map(({ id }) => id),
        ...includedOf(answer, 'betaGroups').keys(),
      ],
      appId: app?.data?.id ?? (await this.#api.appId()),
    }
  }

  async #requireGroups(appId: string, ids: readonly string[]): Promise<Apple.BetaGroup[]> {
    const { data } = await this.#groups(appId, { 'filter[id]': [...ids] })
    const unknown = ids.find((id) => !data.some((each) => each.id === id))
    if (unknown === undefined) return data.filter(({ id }) => ids.includes(id))
    throw refused('notFound', {
      reason: 'groupUnknown',
      message: `TestFlight has no group ${unknown.slice(0, 80)} of this app.`,
      action: 'Whoever may change the app chooses another.',
    })
  }

  async #give(buildId: string, groups: readonly Apple.BetaGroup[]): Promise<void> {
    await this.#api.change(
      'POST /v1/builds/{id}/relationships/betaGroups',
      buildId,
      { data: groups.map(({ id }) => ({ type: 'betaGroups', id })) },
      { isRepeatable: true }
    )
  }

  /** Submits a build for beta review if it needs one; an earlier submission is no error. */
  async #askReview(buildId: string): Promise<void> {
    let { external } = await this.#state(buildId)
    for (const milliseconds of LISTED_MS) {
      if (external !== 'PROCESSING') break
      await this.ctx.pause(milliseconds)
      external = (await this.#state(buildId)).external
    }
    if (external !== BEFORE_REVIEW) return
    const asked = this.#api.change('POST /v1/betaAppReviewSubmissions', null, {
      data: {
        type: 'betaAppReviewSubmissions',
        relationships: { build: { data: { type: 'builds', id: buildId } } },
      },
    })
    await unless(asked, isThere)
  }

  async #state(buildId: string) {
    const seen = this.#api.begin()
    const answer = await this.#api.read('/v1/builds/{id}', buildId, {
      'include': ['buildBetaDetail'],
      'fields[builds]': ['buildBetaDetail'],
      'fields[buildBetaDetails]': ['internalBuildState', 'externalBuildState'],
    })
    const [detail] = includedOf(answer, 'buildBetaDetails').values()
    const { internalBuildState: internal = '', externalBuildState: external = '' } =
      (detail as Apple.BuildBetaDetail | undefined)?.attributes ?? {}
    return { internal, external, seen } as { internal: string; external: string; seen: typeof seen }
  }

  /** Reads the notes of a build, by language: one call. */
  async #notes(buildId: string) {
    const { data } = await this.#api.read('/v1/builds/{id}/betaBuildLocalizations', buildId, {
      'fields[betaBuildLocalizations]': ['locale', 'whatsNew'],
      'limit': PAGE,
    })
    return byLocale(data)
  }

  #makeNote(buildId: string, locale: string, text: string) {
    return this.#api.change('POST /v1/betaBuildLocalizations', null, {
      data: {
        type: 'betaBuildLocalizations',
        attributes: { locale, whatsNew: text },
        relationships: { build: { data: { type: 'builds', id: buildId } } },
      },
    })
  }

  #changeNote(id: string, text: string) {
    return this.#api.change(
      'PATCH /v1/betaBuildLocalizations/{id}',
      id,
      { data: { type: 'betaBuildLocalizations', id, attributes: { whatsNew: text } } },
      { isRepeatable: true }
    )
  }
}
