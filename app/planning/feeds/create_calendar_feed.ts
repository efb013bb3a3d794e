import { Faults, type Sound } from '#foundation/core/problems/faults'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { findPilot } from '#releases/queries/find_pilot'
import { calendarFeeds } from '../tables.js'
import type { CreateCalendarFeedInput } from './feed_input.js'
import { makeFeedToken } from './feed_token.js'
import { mayAskOfPilots } from './stored_feeds.js'

/** Makes an address that a schedule is read at: of an app, or of a pilot in all apps. */
export class CreateCalendarFeed {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id, and the token that is shown this once
   * @throws invalid_input, app_scope_missing
   */
  async handle(input: CreateCalendarFeedInput): Promise<{ id: string; token: string }> {
    const { scope } = this
    const faults = new Faults()
    const subject = await this.check(input, faults)
    faults.demandNone()
    const { appId, userId } = subject!
    if (appId === null ? !mayAskOfPilots(scope) : !scope.sees(appId)) {
      throw refuse('app_scope_missing', {
        detail:
          appId === null
            ? 'The calendar of a pilot shows all apps, and the key is restricted to some.'
            : 'The app scopes of the key do not hold this app.',
      })
    }
    const { token, tokenHash } = makeFeedToken()
    const id = newId('cal')
    const createdBy = scope.actor.name
    const made = { id, appId, userId, tokenHash, createdBy, createdAt: scope.now }
    await scope.insert(calendarFeeds, [made])
    await recordAudit(scope, {
      action: 'calendarFeed.created',
      subject: id,
      data: { appId, userId },
    })
    return { id, token }
  }

  /** Gathers what is wrong beyond its shape; without a fault, whose schedule is meant. */
  async check({ appId, userId }: Sound<CreateCalendarFeedInput>, faults: Faults) {
    const given = [appId, userId].filter((each) => each !== undefined && each !== null)
    if (given.length !== 1) {
      const message = 'Either appId or userId has to be given, and not both.'
      faults.add({ pointer: '/appId', code: 'one_of', message })
      return undefined
    }
    if (appId) {
      const app = await this.scope.table('apps').where('id', appId).select('id').first()
      if (app) return { appId, userId: null }
      const message = 'There is no app of this id.'
      faults.add({ pointer: '/appId', code: 'unknown_app', message })
      return undefined
    }
    const found = new Faults()
    const user = await found.collect(() => findPilot(this.scope, userId!))
    for (const place of found.places) faults.add({ ...place, pointer: '/userId' })
    return user === undefined ? undefined : { appId: null, userId: user }
  }
}

/** Takes an address back; whoever reads it finds nothing from then on. */
export async function revokeCalendarFeed(scope: Scope, id: string): Promise<void> {
  await scope.table('calendar_feeds').where('id', id).delete()
  await recordAudit(scope, { action: 'calendarFeed.revoked', subject: id, data: {} })
}
