import { ADA, GRACE, ORG } from '#organizations/examples'
import type { AppEntity } from './entities.js'
import { appExtensions } from './extensions.js'

/** The app that every example uses. */
export const APP = {
  id: 'acme-ios',
  name: 'Acme',
  platform: 'ios',
  appGroup: 'Shop',
} as const

export const ICON_FILE = '4fJq0VbM2wXy7TtZr9Kd1234.png'
const ICON_URL = `https://tarmac.acme.example/icons/${ICON_FILE}`

/** The ids of the app's workflow steps that examples mention, by step type. */
export const STEP_CONFIGS = {
  kickoff: 'sc_2pLd8NvX5rQk0ZjYw3Ht',
  regressionTesting: 'sc_7hKq2VbM2wXy7TtZr9Kd',
  metadata: 'sc_9uGf4CsB1mVe6TaPi7Ko',
  approvals: 'sc_5xRj3WzD8nLq1FhUy4Gb',
  submission: 'sc_0kMt6EyA9cSv2PdNo5Xw',
} as const

const required = { required: true }
const everywhere = { standard: required, hotfix: required, rollback: required }
const built = { standard: required, hotfix: required }

type Step = AppEntity['steps'][number]

function step(
  type: keyof typeof STEP_CONFIGS,
  name: string,
  groupIndex: number,
  releaseTypes: Step['releaseTypes']
): Step {
  const id = STEP_CONFIGS[type]
  return { id, name, type, releaseTypes, groupIndex, position: 0, destinationId: null }
}

export const exampleWorkflow: Step[] = [
  step('kickoff', 'Kickoff', 0, built),
  step('regressionTesting', 'Regression testing', 1, { standard: required }),
  step('metadata', 'Metadata', 2, { standard: required }),
  step('approvals', 'Approvals', 3, built),
  step('submission', 'App submission', 4, everywhere),
]

/** Returns the example app, with the members of extensions. */
export const exampleApp = () => ({
  ...APP,
  orgId: ORG.id,
  iconUrl: ICON_URL,
  iconFailure: null,
  bundleId: null,
  createdAt: '2026-01-12T09:00:00.000Z',
  updatedAt: '2026-10-05T14:20:00.000Z',
  settings: {
    defaultReleaseType: 'standard',
    assumeHotfixesArePointReleases: false,
    versionFiles: ['App/Info.plist'],
    localizationDirectories: ['App/Resources'],
    requireFixApprovals: true,
    enableFixStatusChecks: false,
    hideNotRequiredReleaseStepsInTimeline: false,
  },
  appUsers: [ADA.email, GRACE.email],
  destinations: [
    {
      id: 'dest_6yVc1XnJ8zRg4TwKo2Lm',
      name: 'Acme for Business',
      storeType: 'apple',
      integrationInstallationId: null,
    },
  ],
  steps: exampleWorkflow,
  ...Object.assign({}, ...appExtensions.all.map(({ entity }) => entity?.example)),
})

export const exampleIcon = { iconUrl: ICON_URL }

/** Returns the payload of an app event, without its type. Later sequences need later times. */
export const exampleEvent = (
  sequence: number,
  createdAt: string,
  members: Record<string, unknown>
) => ({
  id: `evt_1Gd6uRy4PjXo8CaLw${String(sequence).slice(-3)}`,
  createdAt,
  sequence,
  org: ORG,
  app: APP,
  ...members,
})

/** The timeline of the example app. */
export const exampleAppTimeline = {
  data: [
    {
      id: 'evt_1Gd6uRy4PjXo8CaLw090',
      type: 'app.iconFailed',
      title: 'The icon could not be fetched: The address responded with 404',
      occurredAt: '2026-10-05T14:20:05.000Z',
      actor: { type: 'system', id: null, name: 'icon' },
      appId: APP.id,
      data: {
        url: 'https://acme.example/icon.png',
        reason: 'The address responded with 404',
      },
    },
  ],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}
