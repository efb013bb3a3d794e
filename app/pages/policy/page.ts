import type { RolloutPolicyEntity } from '#rollouts/entities'
import type { RolloutOutlookEntity } from '#rollouts/outlook_entity'
import { addresses } from '../addresses.js'
import { textOf } from '../frame/fields.js'
import { page, type PageCall } from '../frame/page.js'
import type { PolicyAnswers } from './answers.js'
import { policyView } from './view.js'

async function read(call: PageCall, isPreview: boolean): Promise<PolicyAnswers> {
  const { ask, params, query, refused, typed = null, answer } = call
  const of = { params: { appId: params.appId } }
  const sent = refused ?? typed
  const destinationId = sent ? textOf(sent.fields, 'destinationId') : (query.destinationId ?? null)
  const named = destinationId === null ? {} : { destinationId }
  const [app, stored] = await Promise.all([
    ask<PolicyAnswers['app']>('getApp', of),
    ask<RolloutPolicyEntity>('getRolloutPolicy', { ...of, query: named }),
  ])
  const outlook = isPreview
    ? (answer as RolloutOutlookEntity)
    : (await ask<RolloutOutlookEntity>('getRolloutOutlook', { ...of, query: named })).body
  return {
    ...{ app: app.body, destinationId, stored: stored.body.policy, tag: stored.etag },
    ...{ outlook, isPreview, typed: sent },
  }
}

const shared = { path: addresses.policy, template: 'policy/page', view: policyView }

/** The rollout policy of an app in one store, and the outlook for rollouts under it. */
export const policyPage = page({ ...shared, read: (call: PageCall) => read(call, false) })

/** The same page with the outlook for a typed policy that is not set. */
export const previewPage = page({ ...shared, read: (call: PageCall) => read(call, true) })
