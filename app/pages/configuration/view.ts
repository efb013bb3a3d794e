import type { PlanEntity } from '#configuration/entities'
import { addresses, addressOf } from '../addresses.js'
import { headOf } from '../app/head.js'
import { changedMeanwhile } from '../release/changed.js'
import type { PageCall, PageView, Reader, Refused } from '../frame/page.js'
import { appName } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { actorName } from '../words/plain.js'
import { timeOf } from '../words/times.js'
import { errorsView, shortened } from './faults.js'
import { markOf, textIn, type ConfigurationAnswers } from './answers.js'

type Call = Pick<PageCall, 'reader' | 'refused'>

/** Returns the view of the configuration of an app. */
export function configurationView(answers: ConfigurationAnswers, { reader, refused }: Call) {
  const { app, exported, typed, outcome, meanwhile } = answers
  const of = { appId: app.id }
  const text = typed ? textIn(typed.fields) : exported
  const may = reader.may('changeAppFromConfiguration')
  return {
    title: `Configuration · ${appName(app)}`,
    place: null,
    pollSeconds: null,
    ...changedMeanwhile(refused, reader),
    ...errorsView(refused, text, 'Nothing was changed.'),
    head: headOf(app, reader, 'configuration'),
    may,
    note: may ? null : 'People who may update the settings of apps can change it.',
    actions: {
      check: addressOf(addresses.configurationCheck, of),
      plan: addressOf(addresses.configurationPlan, of),
      apply: addressOf(addresses.configuration, of),
    },
    ...seenOf(answers, refused, reader),
    text,
    meanwhile: meanwhile.map(({ actor, title, occurredAt }) => ({
      who: actorName(actor),
      title,
      time: timeOf(occurredAt, reader),
    })),
    checked: outcome?.asked === 'check' ? checkedText(outcome.plan) : null,
    plan: outcome?.asked === 'plan' ? planOf(outcome.plan, app.id, text) : null,
  } satisfies PageView & Record<string, unknown>
}

/**
 * Returns the state on which the text is based: the one first seen, or the current one once the
 * page has reported somebody else's change.
 */
function seenOf({ typed, tag }: ConfigurationAnswers, refused: Refused | null, reader: Reader) {
  const isChanged = refused?.problem.code === 'precondition_failed'
  const seenAt = typed?.fields.seenAt
  return isChanged || typed?.tag === undefined || typeof seenAt !== 'string'
    ? { tag, seenAt: reader.now }
    : { tag: typed.tag, seenAt }
}

const checkedText = (plan: PlanEntity) =>
  plan.length === 0
    ? 'It is valid. It is what the app has already.'
    : `It is valid. ${counted(plan.length, 'change')} would follow.`

/** The most changes that are listed. */
const MAX_CHANGES = 500

const OPERATIONS = { add: 'Add', change: 'Change', remove: 'Remove' } as const
const COLOURS = { add: 'green', change: 'blue', remove: 'red' } as const

function planOf(plan: PlanEntity, appId: string, text: string) {
  const rows = plan.slice(0, MAX_CHANGES).map(({ op, path, from, to, effect, releaseId }) => ({
    word: OPERATIONS[op],
    colour: COLOURS[op],
    path,
    href: releaseId ? addressOf(addresses.release, { appId, releaseId }) : null,
    from: valueText(from),
    to: valueText(to),
    effect,
  }))
  return {
    heading:
      plan.length === 0 ? 'Nothing would change' : `${counted(plan.length, 'change')} would follow`,
    rows,
    more: plan.length - rows.length,
    mark: markOf(text),
  }
}

/** The most characters that are shown of a value. */
const MAX_OF_VALUE = 200

/** Returns a value in one line; null for no value. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), MAX_OF_VALUE)
}
