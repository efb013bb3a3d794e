import type { ListedRehearsalEntity, RehearsalEntity } from '#simulation/rehearsals/entities'
import { addresses } from '../addresses.js'
import type { AppAnswers } from '../app/answers.js'
import { page, type PageCall } from '../frame/page.js'
import { rehearsalsView, rehearsalView } from './view.js'

const appOf = async ({ ask, params: { appId } }: PageCall) =>
  (await ask<AppAnswers['app']>('getApp', { params: { appId } })).body

/** The form that starts a rehearsal of an app, and its last rehearsals. */
export const rehearsalsPage = page({
  path: addresses.rehearsals,
  template: 'rehearse/rehearsals',
  async read(call: PageCall) {
    const { appId } = call.params
    const { body } = await call.ask<ListedRehearsalEntity[]>('listRehearsals', {
      params: { appId },
    })
    return { app: await appOf(call), rehearsals: body }
  },
  view: rehearsalsView,
})

/** A rehearsal: its progress, and its result. */
export const rehearsalPage = page({
  path: addresses.rehearsal,
  template: 'rehearse/rehearsal',
  async read(call: PageCall) {
    const { appId, rehearsalId } = call.params
    const { body } = await call.ask<RehearsalEntity>('getRehearsal', {
      params: { appId, rehearsalId },
    })
    return { app: await appOf(call), rehearsal: body }
  },
  view: rehearsalView,
})
