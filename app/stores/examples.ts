import { VERSION } from '#releases/examples'

const inReview = {
  type: 'apple',
  version: VERSION,
  destinationId: null,
  apple: {
    appStoreState: 'IN_REVIEW',
    releaseType: 'MANUAL',
    earliestReleaseDate: null,
    buildNumber: '4711',
    phasedRelease: null as object | null,
  },
  updatedAt: '2026-11-19T21:10:00.000Z',
}

/** The version in the store, by what has just happened to it. */
export const exampleVersions = {
  inReview,
  secondDay: {
    ...inReview,
    apple: {
      ...inReview.apple,
      appStoreState: 'READY_FOR_SALE',
      phasedRelease: {
        state: 'ACTIVE',
        currentDayNumber: 2,
        percentage: 2,
        startDate: '2026-11-23T09:00:00.000Z',
        totalPauseDuration: 0,
      },
    },
    updatedAt: '2026-11-24T09:00:00.000Z',
  },
}
