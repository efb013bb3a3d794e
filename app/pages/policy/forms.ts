import { addresses, addressOf } from '../addresses.js'
import { isTicked, linesIn, listIn, numberIn, numberOf, textOf } from '../frame/fields.js'
import { form, type Fields, type FormCall } from '../frame/page.js'
import { policyPage, previewPage } from './page.js'

/** Returns the typed policy; null if people drive rollouts. Empty fields have their defaults. */
function policyIn(fields: Fields) {
  if (textOf(fields, 'by') === 'people') return null
  const [from, to] = [textOf(fields, 'officeFrom'), textOf(fields, 'officeTo')]
  const ladder = rungsIn(fields)
  return {
    ...(ladder.length > 0 && { ladder }),
    healthyHours: numberIn(fields, 'healthyHours'),
    timezone: textOf(fields, 'timezone') ?? '',
    officeHours: from === null && to === null ? null : { from: from ?? '', to: to ?? '' },
    weekdays: listIn(fields, 'weekdays').map(Number),
    quietDays: linesIn(fields, 'quietDays'),
    finishWithinDays: numberIn(fields, 'finishWithinDays'),
    call: linesIn(fields, 'call'),
    guard: isTicked(fields, 'judges') ? guardIn(fields) : null,
    hotfix: textOf(fields, 'hotfix') ?? undefined,
    stops: textOf(fields, 'stops') ?? undefined,
  }
}

const textAt = (list: readonly string[], index: number) => list[index]?.trim() || null

/** Returns the rungs of the typed rows. Empty rows are skipped; 100 % needs no hours. */
function rungsIn(fields: Fields) {
  const hours = listIn(fields, 'hours')
  return listIn(fields, 'percentage').flatMap((typed, index) => {
    const percentage = numberOf(typed.trim() || null)
    const duration = numberOf(textAt(hours, index)) ?? (percentage === 100 ? 0 : null)
    return percentage === null && duration === null ? [] : [{ percentage, hours: duration }]
  })
}

function guardIn(fields: Fields) {
  const [sources, measures, totals, bads] = ['source', 'measure', 'total', 'bad'].map((name) =>
    listIn(fields, name)
  )
  return {
    metrics: listIn(fields, 'metric').flatMap((typed, index) => {
      const name = typed.trim()
      const members = {
        source: textAt(sources, index),
        measure: textAt(measures, index),
        total: textAt(totals, index),
        bad: textAt(bads, index),
      }
      // Every row has a source, so a source alone does not count.
      if (name === '' && !members.measure && !members.total && !members.bad) return []
      const filled = Object.entries(members).filter(([, value]) => value !== null)
      return [{ name, ...Object.fromEntries(filled) }]
    }),
    errorBound: numberIn(fields, 'errorBound') ?? undefined,
    harmBudget: numberIn(fields, 'harmBudget') ?? undefined,
    whenUnsure: textOf(fields, 'whenUnsure') ?? undefined,
  }
}

const requestOf = ({ params, fields }: FormCall) => ({
  params: { appId: params.appId },
  body: { destinationId: textOf(fields, 'destinationId'), policy: policyIn(fields) },
})

/** Previews rollouts under the typed policy. */
export const previewPolicyForm = form({
  path: addresses.policyPreview,
  operation: 'foreseeRollouts',
  request: requestOf,
  shownOn: { page: policyPage },
  shows: previewPage,
})

/** Sets the typed policy. */
export const policyForm = form({
  path: addresses.policy,
  operation: 'setRolloutPolicy',
  request: requestOf,
  shownOn: { page: policyPage },
  done({ params, fields, answer }) {
    const { policy, warnings = [] } = answer as {
      policy: object | null
      warnings?: { message: string }[]
    }
    const destinationId = textOf(fields, 'destinationId')
    const query = destinationId ? `?${new URLSearchParams({ destinationId })}` : ''
    const done = policy ? 'The policy was set.' : 'People steer rollouts from now on.'
    return {
      to: addressOf(addresses.policy, { appId: params.appId }) + query,
      said: [done, ...warnings.map(({ message }) => message)].join(' '),
    }
  },
})
