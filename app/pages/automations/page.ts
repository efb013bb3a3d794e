import type {
  AutomationEntity,
  AutomationPauseStateEntity,
  ReleaseScheduleEntryEntity,
} from '#planning/entities'
import { addresses } from '../addresses.js'
import type { NamedApp } from '../app/head.js'
import { page, type PageCall } from '../frame/page.js'
import { automationsView, type AutomationsAnswers } from './view.js'

/** The automations of an app. */
export const automationsPage = page({
  path: addresses.appAutomations,
  template: 'automations/page',
  async read({ ask, params }: PageCall): Promise<AutomationsAnswers> {
    const of = { params: { appId: params.appId } }
    const [app, automations, pause, schedule] = await Promise.all([
      ask<NamedApp>('getApp', of),
      ask<AutomationEntity[]>('listAutomations', of),
      ask<AutomationPauseStateEntity>('getAutomationPause', of),
      ask<ReleaseScheduleEntryEntity[]>('getReleaseSchedule', of),
    ])
    return {
      app: app.body,
      automations: automations.body,
      pause: pause.body,
      schedule: schedule.body,
    }
  },
  view: automationsView,
})
