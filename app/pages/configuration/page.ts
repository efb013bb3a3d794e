import type { PlanEntity } from '#configuration/entities'
import type { AppTimelineEvent } from '#apps/entities'
import { addresses } from '../addresses.js'
import type { NamedApp } from '../app/head.js'
import { textOf } from '../frame/fields.js'
import { page, type PageCall, type Refused } from '../frame/page.js'
import type { TextRequest, ConfigurationAnswers } from './answers.js'
import { configurationView } from './view.js'

/** The most entries of changes since the reader saw the app. */
const MAX_MEANWHILE = '20'

async function read(call: PageCall, asked: TextRequest | null): Promise<ConfigurationAnswers> {
  const { ask, params, refused, typed = null, answer } = call
  const of = { params: { appId: params.appId } }
  const [app, exported] = await Promise.all([
    ask<NamedApp>('getApp', of),
    ask<string>('exportAppConfiguration', of),
  ])
  return {
    app: app.body,
    exported: exported.body,
    tag: exported.etag,
    typed: refused ?? typed,
    outcome: asked && { asked, plan: answer as PlanEntity },
    meanwhile: refused ? await meanwhileOf(call, refused) : [],
  }
}

async function meanwhileOf({ ask, params }: PageCall, { problem, fields }: Refused) {
  const from = textOf(fields, 'seenAt')
  if (problem.code !== 'precondition_failed' || from === null) return []
  const query = { from, limit: MAX_MEANWHILE }
  const asked = { params: { appId: params.appId }, query }
  const { body } = await ask<{ data: AppTimelineEvent[] }>('listAppTimelineEvents', asked)
  return body.data
}

const shared = {
  path: addresses.configuration,
  template: 'configuration/page',
  view: configurationView,
}

/** The configuration of an app as YAML. */
export const configurationPage = page({ ...shared, read: (call: PageCall) => read(call, null) })

/** The same page with the result of checking a text. */
export const checkedPage = page({ ...shared, read: (call: PageCall) => read(call, 'check') })

/** The same page with the plan of a text, and the button to apply it. */
export const plannedPage = page({ ...shared, read: (call: PageCall) => read(call, 'plan') })
