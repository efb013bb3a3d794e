import type { Instant } from '#foundation/core/clock'
import type { Principal } from '#foundation/core/principal'
import { withoutStop } from '../words/now.js'
import { obstaclesOf, type Obstacle } from '../words/obstacles.js'
import { isYours } from '../words/who.js'
import type { OverviewApp, OverviewRelease } from './overview.js'

/** Something that waits for the reader. */
export interface Turn {
  app: OverviewApp
  release: OverviewRelease
  /** The step that waits; null for the whole release. */
  stepId: string | null
  /** The task as a heading. */
  text: string
  /** The step or subject of the task, and how many more there are. */
  about: string
  since: Instant | null
  /** The text of the button that leads there. */
  verb: string
}

/** Tasks of steps as verbs, by the type of the step. */
const VERBS: Readonly<Record<string, string>> = {
  kickoff: 'Kick off',
  featureReadiness: 'Look at the features',
  translations: 'Look at the translations',
  releaseCandidate: 'Look at the builds',
  regressionTesting: 'Test',
  betaTesting: 'Look at the beta',
  screenshots: 'Look at the screenshots',
  metadata: 'Look at the metadata',
  approvals: 'Check and approve',
  submission: 'Submit',
  storeReview: 'Look at the review',
  takeoff: 'Release to users',
  rollout: 'Look at the rollout',
}

/** Returns everything that waits for a reader, oldest first; entries without a date come last. */
export function turnsOf(apps: readonly OverviewApp[], reader: Principal): Turn[] {
  const all = apps.flatMap((app) => (app.release ? turnsOfRelease(app, app.release, reader) : []))
  return all.sort((a, b) => (a.since ?? '~').localeCompare(b.since ?? '~'))
}

function turnsOfRelease(app: OverviewApp, release: OverviewRelease, reader: Principal): Turn[] {
  if (release.status === 'completed' || release.status === 'skipped') return []
  const yours = obstaclesOf(release, reader).filter(({ turn }) => turn === 'yours')
  const steps = [...new Set(yours.map(({ step }) => step))]
  const byStep = steps.map((step) =>
    turnOfStep(
      app,
      release,
      yours.filter((each) => each.step === step)
    )
  )
  const warnings = release.whyNotMoving.warnings
    .filter(({ who }) => isYours(who, reader))
    .map((warning): Turn => ({
      app,
      release,
      stepId: null,
      text: withoutStop(warning.message),
      about: warning.subject.name,
      since: null,
      verb: 'Look at it',
    }))
  return [...byStep, ...warnings]
}

function turnOfStep(app: OverviewApp, release: OverviewRelease, yours: Obstacle[]): Turn {
  const [{ step, condition }] = yours
  const rest = yours.length - 1
  return {
    app,
    release,
    stepId: step.id,
    text: withoutStop(condition.message),
    about: rest > 0 ? `${step.name} · ${rest} more` : step.name,
    since: step.statusChangedAt,
    verb: VERBS[step.type] ?? 'Look at it',
  }
}
