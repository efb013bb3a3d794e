import type { PullRequest } from '#plugin-kit/capabilities/source'
import type { Mutation, PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { allOf, observed, pageOf } from './world_pages.js'

/** A merge request in answers of a world. */
export interface ReportedPull {
  number: number
  title: string
  head: string
  base: string
  sha: string
  state: string
  checks: string
  mergeable: boolean | null
  /** Absent if nobody in particular opened it. */
  author?: string
  /** Milliseconds since the epoch; absent while it is not merged. */
  mergedAt?: number
}

/** The answer to a change that conflicts with the present state. */
interface Conflict {
  code: string
  message: string
  files?: string[]
}

type Params = Record<string, string | number>
type Query = Record<string, string | undefined>

const STATES = { draft: 'draft', open: 'open', merged: 'merged', closed: 'closed' } as const
const CHECKS = { pending: 'pending', passing: 'passing', failing: 'failing' } as const

/** Calls the git host of a world about one repository, which the world or git stores. */
export class CodeHost {
  /** @param whose `code` if the world has the commits, `hosted` if git has them */
  constructor(
    private readonly ctx: PluginContext,
    private readonly whose: 'code' | 'hosted'
  ) {}

  async read<Body>(path: string, query: Query = {}, params: Params = {}): Promise<Body> {
    const request = { method: 'GET', ...this.#at(path, params), query } as const
    return (await this.ctx.http.send<Body>(request)).body
  }

  /** Reads something; null if it does not exist. */
  async found<Body>(path: string, params: Params): Promise<Body | null> {
    try {
      return await this.read<Body>(path, {}, params)
    } catch (error) {
      if (isProviderError(error) && error.code === 'notFound') return null
      throw error
    }
  }

  page<Item>(path: string, query: Query) {
    return pageOf<Item>(this.ctx, { ...this.#at(path), query })
  }

  all<Item>(path: string): Promise<Item[]> {
    return allOf<Item>(this.ctx, this.#at(path))
  }

  /** Requests a change; idempotent by its key. Conflicting files are reported with their paths. */
  async change<Body>(
    path: string,
    json: object,
    { idempotencyKey }: Mutation,
    params: Params = {}
  ): Promise<Body> {
    const { status, body } = await this.ctx.http.send<Body | Conflict>({
      method: 'POST',
      ...this.#at(path, params),
      json,
      headers: { 'idempotency-key': idempotencyKey },
      idempotent: true,
      expect: [409],
    })
    if (status !== 409) return body as Body
    const { code, message, files = [] } = body as Conflict
    const fields = files.map((file) => ({ path: file, message: 'It was changed on both sides' }))
    throw new ProviderError('conflict', message, {
      outcome: 'notApplied',
      status,
      reason: code === 'fileChanged' ? 'changed' : code,
      ...(fields.length === 0 ? {} : { fields }),
    })
  }

  /** Converts a request to the form of the plugin kit. */
  pullOf({ state, checks, mergedAt, ...pull }: ReportedPull): PullRequest {
    return {
      id: String(pull.number),
      ...pull,
      status: observed(this.ctx, STATES, state),
      checks: observed(this.ctx, CHECKS, checks),
      ...(mergedAt === undefined ? {} : { mergedAt: new Date(mergedAt).toISOString() }),
    }
  }

  #at(path: string, params: Params = {}) {
    const repo = String(this.ctx.data.repoName ?? '')
    return { path: `/v1/${this.whose}/{repo}/${path}`, params: { repo, ...params } }
  }
}
