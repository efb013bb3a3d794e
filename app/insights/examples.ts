import { APP, exampleApp } from '#apps/examples'
import {
  COMMIT,
  exampleRelease,
  exampleStep,
  exampleWhyNotMoving,
  RELEASE_BRANCH,
  RELEASE_ID,
  VERSION,
} from '#releases/examples'
import type { OrgMetricsEntity } from './entities.js'
import { RELEASE_MEMBERS, STEP_MEMBERS } from './overview_entities.js'
import { picked } from './picked.js'
import type { WhereIsEntity } from './where_is_entities.js'
import { METRICS, type MetricKey } from './vocabulary.js'

const metric = (key: MetricKey, value: number | null, previousValue: number | null) => ({
  key,
  ...METRICS[key],
  value,
  previousValue,
  apps: [{ appId: APP.id, value }],
})

/** Example metrics of the 90 days before the release. */
export const exampleMetrics: OrgMetricsEntity = {
  from: '2026-08-18T09:00:00.000Z',
  to: '2026-11-16T09:00:00.000Z',
  metrics: [
    metric('releasesCompleted', 6, 5),
    metric('leadTimeKickoffToRelease', 8.5, 11),
    metric('timeInReview', 19.2, 23.6),
    metric('averageRating', null, null),
  ],
}

/** Example location of a commit once the release is with users. */
export const exampleWhereIs: WhereIsEntity = {
  commit: COMMIT,
  pullRequest: null,
  ticket: null,
  apps: [
    {
      appId: APP.id,
      platform: 'ios',
      commits: [
        {
          hash: COMMIT,
          message: 'SHOP-2144 Log in with a passkey (#2190)',
          author: 'Ada Lovelace',
          committedAt: '2026-11-12T14:02:00.000Z',
        },
      ],
      pullRequests: [
        {
          number: 2190,
          title: 'Log in with a passkey',
          url: 'https://git.acme.example/acme/ios/pull/2190',
          author: 'Ada Lovelace',
          mergedAt: '2026-11-12T14:02:00.000Z',
        },
      ],
      releases: [
        {
          releaseId: RELEASE_ID,
          version: VERSION,
          status: 'active',
          phase: 'rollingOut',
          how: 'introduced',
          kickedOffAt: '2026-11-16T09:00:12.480Z',
          releasedAt: '2026-11-23T09:00:05.612Z',
        },
      ],
      builds: [
        {
          id: 'cib_4nXs8KdR2wYh6JmQv0Tz',
          buildIdentifier: '1873',
          releaseId: RELEASE_ID,
          branch: RELEASE_BRANCH,
          commitHash: COMMIT,
          buildStatus: 'success',
          createdAt: '2026-11-16T09:40:00.000Z',
          buckets: [
            {
              id: 'bucket_3cWr7ZtM9pLx1VyDa5Ku',
              name: 'Release candidates',
              since: '2026-11-16T09:40:02.000Z',
            },
          ],
        },
      ],
      share: {
        stores: [{ destinationId: null, storeType: 'apple', offered: 2 }],
        adopted: 1.4,
        since: '2026-11-23T09:00:05.612Z',
      },
    },
  ],
}

/** Returns an example overview while metadata waits for its approval. */
export function exampleOverview() {
  const { iconUrl, liveVersion } = exampleApp()
  const { steps, next } = exampleWhyNotMoving
  const [{ unmet, warnings: ofStep }] = steps
  return {
    data: [
      {
        ...APP,
        iconUrl,
        liveVersion,
        release: {
          ...picked(exampleRelease('testing'), RELEASE_MEMBERS),
          steps: [
            {
              ...picked(exampleStep('metadata'), STEP_MEMBERS),
              unmet,
              warnings: ofStep,
              rollout: null,
            },
          ],
          health: null,
          whyNotMoving: { release: [], warnings: [], next },
        },
        alsoActive: [],
      },
    ],
    pagination: { limit: 50, hasMore: false, nextCursor: null },
  }
}
