import { addresses, addressOf } from '../addresses.js'
import { textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import { warningText } from '../words/plain.js'
import { ITEM_STATUSES, REGRESSION_STATUSES, statusLabel } from '../words/statuses.js'
import { ACTS } from './acts.js'
import { actPage, partPage, releasePage, stepPage } from './page.js'
import { filtered, filterOf, IGNORES } from './steps/features.view.js'
import { VERDICT_OPERATION } from './steps/regression.view.js'

const only =
  (...names: string[]) =>
  (params: Record<string, string>) =>
    Object.fromEntries(names.map((name) => [name, params[name]]))

const ofRelease = only('appId', 'releaseId')
const ofStep = only('appId', 'releaseId', 'stepId')

/** Forms of a release are on its page and on the page of each step, and lead back to the same page. */
const onRelease = {
  page: releasePage,
  path: (fields: Fields) => (textOf(fields, 'step') === null ? addresses.release : addresses.step),
  params(params: Record<string, string>, fields: Fields) {
    const stepId = textOf(fields, 'step')
    return { ...ofRelease(params), ...(stepId !== null && { stepId }) }
  },
}

/** Forms of a step require that the step exists. */
const requires = { operation: 'getReleaseStep', params: ofStep }

/** Stops every rollout of a release, without a question. A second press changes nothing. */
export const redButtonForm = form({
  path: addresses.redButton,
  operation: 'pressRedButton',
  request: ({ params }) => ({ params: ofRelease(params), body: {} }),
  shownOn: onRelease,
  done({ answer }) {
    const { warnings = [] } = answer as { warnings?: { message: string }[] }
    const reported = warnings.map(({ message }) => warningText(message))
    return {
      said: [
        'The red button was pressed. This page shows when the stores have stopped the rollout.',
        ...reported,
      ].join(' '),
    }
  },
})

/** Approves a late fix as the reader saw it. */
export const fixApprovalForm = form({
  path: addresses.fixApproval,
  operation: 'approveFixRequest',
  request: ({ params }) => ({
    params: { ...ofRelease(params), fixRequestId: params.fixRequestId },
    body: {},
  }),
  shownOn: onRelease,
  done: ({ answer }) => ({ said: `Approved: ${(answer as { title: string }).title}.` }),
})

/** The value for an empty field: no release, as an id that never exists. */
const NONE = ':'

/** Joins a release with one for the other platform to a pair. */
export const joinForm = form({
  path: addresses.pair,
  operation: 'joinReleases',
  request: ({ params, fields }) => ({
    params: ofRelease(params),
    body: {
      releaseId: textOf(fields, 'releaseId') ?? NONE,
      ...(fields.managedPublishing === 'yes' && { managedPublishing: true }),
    },
  }),
  shownOn: { page: releasePage, params: ofRelease },
  done: () => ({ said: 'They go out together now.' }),
})

/** Parts the pair of a release. */
export const partForm = form({
  path: addresses.partPair,
  operation: 'partReleases',
  request: ({ params }) => ({ params: ofRelease(params) }),
  shownOn: { page: partPage, params: ofRelease },
  done: ({ params }) => ({
    to: addressOf(addresses.release, ofRelease(params)),
    said: 'Separated. Each needs its own takeoff now.',
  }),
})

const SAID: Readonly<Record<string, string>> = {
  pause: 'The store is being asked to pause.',
  halt: 'The store is being asked to stop.',
  resume: 'The store is being asked to resume.',
  complete: 'The store is being asked to roll it out to all users.',
  set: 'The store is being asked to set the new percentage.',
}

const bodyOfRollout = (fields: Fields) => {
  const action = textOf(fields, 'action')
  const percentage = textOf(fields, 'percentage')
  return {
    action,
    ...(action === 'set' &&
      percentage !== null && { percentage: Number(percentage.replace(',', '.')) }),
  }
}

const saidOfRollout = ({ fields }: { fields: Fields }) => ({
  said: SAID[textOf(fields, 'action') ?? ''],
})

/** Changes the rollout in all stores of a release. */
export const rolloutForm = form({
  path: addresses.rollout,
  operation: 'changeRollout',
  request: ({ params, fields }) => ({ params: ofRelease(params), body: bodyOfRollout(fields) }),
  shownOn: onRelease,
  done: saidOfRollout,
})

/** Changes the rollout in one store. */
export const storeRolloutForm = form({
  path: addresses.storeRollout,
  operation: 'changeStepRunRollout',
  request: ({ params, fields }) => ({
    params: { ...ofRelease(params), stepRunId: params.stepRunId },
    body: bodyOfRollout(fields),
  }),
  shownOn: onRelease,
  done: saidOfRollout,
})

/** Lets the automations of a release run again. */
export const automationsForm = form({
  path: addresses.automations,
  operation: 'setAutomationPause',
  request: ({ params }) => ({
    params: { appId: params.appId },
    body: { paused: false, releaseId: params.releaseId },
  }),
  shownOn: onRelease,
  done: () => ({ said: 'Automations are running again.' }),
})

/** Sets the status of an item, with an optional comment. */
export const itemStatusForm = form({
  path: addresses.itemStatus,
  operation: 'updateChecklistItemStatus',
  request({ params, fields }) {
    const comment = textOf(fields, 'comment')
    return {
      params: { ...ofRelease(params), checklistItemId: params.checklistItemId },
      body: { status: textOf(fields, 'status'), ...(comment !== null && { comment }) },
    }
  },
  requires,
  shownOn: { page: stepPage, params: ofStep },
  done({ fields, answer }) {
    const word = statusLabel(ITEM_STATUSES, textOf(fields, 'status') ?? '').word
    return { said: `${word}: ${(answer as { title?: string }).title ?? 'the item'}.` }
  },
})

/** Chooses the build that ships. */
export const selectedBuildForm = form({
  path: addresses.selectedBuild,
  operation: 'setSelectedBuilds',
  request: ({ params, fields }) => ({
    params: { ...ofRelease(params), stepRunId: textOf(fields, 'run') ?? '' },
    body: {
      builds: [
        { destinationId: textOf(fields, 'destination'), appStoreBuildId: textOf(fields, 'build') },
      ],
    },
  }),
  requires,
  shownOn: { page: stepPage, params: ofStep },
  done: () => ({ said: 'This build ships.' }),
})

/** Gives the verdict of regression testing, which overrides its items. */
export const regressionForm = form({
  path: addresses.regressionStatus,
  operation: VERDICT_OPERATION,
  request({ params, fields }) {
    const [comment, url] = [textOf(fields, 'comment'), textOf(fields, 'url')]
    return {
      params: { ...ofRelease(params), stepRunId: textOf(fields, 'run') ?? '' },
      body: { status: textOf(fields, 'status'), comment, url },
    }
  },
  requires,
  shownOn: { page: stepPage, params: ofStep },
  done({ fields }) {
    const { word } = statusLabel(REGRESSION_STATUSES, textOf(fields, 'status') ?? '')
    return { said: `The verdict was set: ${word.toLowerCase()}.` }
  },
})

/** Puts a feature aside, or takes it up again. */
export const featuresForm = form({
  path: addresses.featureReadiness,
  operation: IGNORES,
  request: ({ params, fields }) => ({
    params: ofRelease(params),
    body: {
      items: [{ id: textOf(fields, 'item') ?? '', ignored: textOf(fields, 'ignored') !== 'false' }],
    },
  }),
  requires,
  shownOn: { page: stepPage, params: ofStep },
  done({ params, fields }) {
    const step = addressOf(addresses.step, ofStep(params))
    return {
      said:
        textOf(fields, 'ignored') === 'false'
          ? 'No longer ignored.'
          : 'Ignored: the release does not wait for it.',
      to: filtered(step, filterOf(fields as Record<string, string>)),
    }
  },
})

/** The forms of the acts on steps, by name. */
export const actForms = Object.fromEntries(
  ACTS.map(({ act, operation, ofRun, body, force, asksFirst, completes, said }) => [
    act,
    form({
      path: addresses.act.replace('{act}', act),
      operation,
      request({ params, fields }) {
        const run: Record<string, string> = ofRun ? { stepRunId: textOf(fields, 'run') ?? '' } : {}
        const forced = force && fields.force === 'yes' ? { [force.field]: true } : {}
        return {
          params: { ...ofRelease(params), ...run },
          ...(body && { body: { ...body, ...forced } }),
        }
      },
      requires,
      shownOn: asksFirst
        ? { page: actPage, params: (params) => ({ ...ofStep(params), act }) }
        : { page: stepPage, params: ofStep },
      // An act that completes its step leads to the step that matters next.
      done: ({ params }) => ({
        said,
        to: completes
          ? addressOf(addresses.release, ofRelease(params))
          : addressOf(addresses.step, ofStep(params)),
      }),
    }),
  ])
)
