import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { findPilot } from '#releases/queries/find_pilot'
import { calendarFeeds } from '../tables.js'
import type { CreateCalendarFeedInput } from './feed_input.js'
import { makeFeedToken } from './feed_token.js'
import { seesAll } from './stored_feeds.js'

/** Makes a calendar address for the schedule of one app or all apps, of one pilot or everybody. */
export class CreateCalendarFeed {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id, and the token, which is shown only now
   * @throws invalid_input, app_scope_missing
   */
  async handle(input: CreateCalendarFeedInput): Promise<{ id: string; token: string }> {
    const { scope } = this
    const errors = new InputErrors()
    const subject = await this.check(input, errors)
    errors.throwIfAny()
    const { appId, userId } = subject
    if (!seesAll(scope, appId)) {
      const detail =
        'The app scopes of the key do not include everything that the calendar would show.'
      throw refuse('app_scope_missing', { detail })
    }
    const { token, tokenHash } = makeFeedToken()
    const id = newId('cal')
    const createdBy = scope.actor.name
    const created = { id, appId, userId, tokenHash, createdBy, createdAt: scope.now }
    await scope.insert(calendarFeeds, [created])
    await recordAudit(scope, {
      action: 'calendarFeed.created',
      subject: id,
      data: { appId, userId },
    })
    return { id, token }
  }

  /** Collects the errors of an input beyond its shape, and returns whose schedule is meant. */
  async check(input: PartiallyValid<CreateCalendarFeedInput>, errors: InputErrors) {
    const { userId } = input
    const appId = input.appId ?? null
    if (appId !== null && !(await this.#appExists(appId))) {
      const message = 'There is no app with this id.'
      errors.add({ pointer: '/appId', code: 'unknown_app', message })
    }
    if (userId === undefined) return { appId, userId: null }
    const pilotErrors = new InputErrors()
    const user = await pilotErrors.collect(() => findPilot(this.scope, userId))
    for (const place of pilotErrors.places) errors.add({ ...place, pointer: '/userId' })
    return { appId, userId: user ?? null }
  }

  async #appExists(appId: string): Promise<boolean> {
    return (await this.scope.table('apps').where('id', appId).select('id').first()) !== null
  }
}

/** Revokes a calendar: its address answers 404 from then on. */
export async function revokeCalendarFeed(scope: Scope, id: string): Promise<void> {
  await scope.table('calendar_feeds').where('id', id).delete()
  await recordAudit(scope, { action: 'calendarFeed.revoked', subject: id, data: {} })
}
