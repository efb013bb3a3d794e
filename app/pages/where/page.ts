import type { WhereIsEntity } from '#insights/where_is_entities'
import { Problem } from '#foundation/core/problems/problem'
import { addresses } from '../addresses.js'
import type { NamedApp } from '../app/head.js'
import { textOf } from '../frame/fields.js'
import { page } from '../frame/page.js'
import { whereView, type WhereAnswers } from './view.js'

/** The most characters of a change that are read. */
const MAX_LENGTH = 200

/** Returns the query for a change: the hash of a commit, `#812` or another number, or a ticket. */
export function queryFor(change: string): Record<string, string> {
  if (/^(#\d{1,9}|\d{1,6})$/.test(change)) return { pullRequest: change.replace('#', '') }
  return /^[0-9a-f]{7,64}$/i.test(change) ? { commit: change } : { ticket: change }
}

/** Where a change is, in an app and others of its group. */
export const wherePage = page({
  path: addresses.where,
  template: 'where/page',
  async read({ ask, params, query, reader }): Promise<WhereAnswers> {
    const of = { params: { appId: params.appId } }
    const orgId = reader.principal.organization.id
    const [app, apps] = await Promise.all([
      ask<NamedApp>('getApp', of),
      ask<NamedApp[]>('listApps', { params: { orgId } }),
    ])
    const change = textOf(query, 'change')?.slice(0, MAX_LENGTH) ?? null
    const found =
      change &&
      (await ask<WhereIsEntity>('whereIs', { ...of, query: queryFor(change) }).then(
        ({ body }) => body.apps,
        (error: unknown) => {
          if (error instanceof Problem && error.status === 404) return []
          throw error
        }
      ))
    return { app: app.body, apps: apps.body, change, found: found || null }
  },
  view: whereView,
})
