import type { AutomationEntity, AutomationPauseStateEntity } from '#planning/entities'
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
    const [app, automations, pause] = await Promise.all([
      ask<NamedApp>('getApp', of),
      ask<AutomationEntity[]>('listAutomations', of),
      ask<AutomationPauseStateEntity>('getAutomationPause', of),
    ])
    return { app: app.body, automations: automations.body, pause: pause.body }
  },
  view: automationsView,
})
