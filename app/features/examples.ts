import { ADA, ADA_ACTING } from '#organizations/examples'
import { RELEASE_ID, VERSION } from '#releases/examples'
import type { FeatureReadinessItemEntity } from './entities.js'

const commit = '5b0c7e2d9a4f1836c2e7b5d8f0a1946e3c7d2b80'

export const exampleItem = {
  id: 'wi_9rTc4MwX1gZs7LbVk2Pd',
  workItem: {
    id: 'wi_9rTc4MwX1gZs7LbVk2Pd',
    ticket: {
      id: '10391',
      key: 'SHOP-2144',
      title: 'Log in with a passkey',
      status: 'In review',
      done: false,
      url: 'https://tickets.acme.example/browse/SHOP-2144',
      assignee: ADA.name,
      fixVersions: [VERSION],
    },
    code: [
      {
        type: 'commit',
        hash: commit,
        message: 'SHOP-2144 Log in with a passkey (#2190)',
        author: ADA.name,
        url: `https://git.acme.example/acme/ios/commit/${commit}`,
        committedAt: '2026-11-12T14:02:00.000Z',
        inRelease: true,
      },
      {
        type: 'pullRequest',
        number: 2190,
        title: 'SHOP-2144 Log in with a passkey',
        status: 'merged',
        url: 'https://git.acme.example/acme/ios/pull/2190',
        author: ADA.name,
        baseBranch: 'main',
        mergedAt: '2026-11-12T14:02:00.000Z',
      },
    ],
    codeStatus: 'inRelease',
    codeType: 'pullRequest',
  },
  ready: false,
  reason: 'ticketNotDone',
  ignored: false,
  ignoredBy: null,
  ignoredAt: null,
} as FeatureReadinessItemEntity

export const exampleIgnoredItem = {
  ...exampleItem,
  ignored: true,
  ignoredBy: ADA_ACTING,
  ignoredAt: '2026-11-17T12:10:00.000Z',
} as FeatureReadinessItemEntity

export const exampleChangePage = {
  data: [{ releaseId: RELEASE_ID, version: VERSION, workItem: exampleItem.workItem }],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}

export const exampleItemPage = {
  data: [exampleItem],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}

export const exampleFlag = {
  id: '64f1c2',
  key: 'passkey-login',
  name: 'Log in with a passkey',
  enabled: true,
  archived: false,
  createdAt: '2026-10-20T08:00:00.000Z',
  minimumVersion: VERSION,
  maximumVersion: null,
  targetVersions: [],
  targetsCurrentVersion: true,
  variations: [
    { id: 'on', key: 'on', name: 'on', value: 'true', rolloutPercentage: null, variables: [] },
    { id: 'off', key: 'off', name: 'off', value: 'false', rolloutPercentage: null, variables: [] },
  ],
  rules: [
    {
      id: 'passkey-login:0',
      name: 'employees',
      enabled: true,
      audiences: [{ id: 'employees', name: 'employees', conditions: [] }],
      conditions: [
        { predicates: [{ attribute: 'app_version', operator: '>=', values: [VERSION] }] },
      ],
      weightedVariations: [
        { variationId: 'on', weight: 50 },
        { variationId: 'off', weight: 50 },
      ],
    },
  ],
  environmentId: 'production',
  projectId: 'shop',
  url: 'https://flags.acme.example/shop/production/passkey-login',
  etag: '17',
}

export const exampleNotes = {
  notes: 'New\n• Log in with a passkey\n\nFixed\n• Session is lost after a restart',
  locale: 'en-US',
  notesType: 'releaseNotes',
  stepType: 'metadata',
  source: 'workItems',
  modelFailure: null,
  generatedAt: '2026-11-18T14:20:00.000Z',
  basedOn: [exampleItem.id],
}

/** An item of another release. */
export const UNKNOWN_ITEM = 'wi_1aBc2DeF3gHi4JkLm5No'
