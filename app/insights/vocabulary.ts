export const METRIC_UNITS = ['count', 'hours', 'days', 'percent', 'rating'] as const
type MetricUnit = (typeof METRIC_UNITS)[number]

/** All metrics of an organization, in display order. */
export const METRIC_KEYS = [
  'releasesCompleted',
  'hotfixesCompleted',
  'rollbacks',
  'leadTimeKickoffToRelease',
  'timeInReview',
  'timeInRegression',
  'onTimeSubmissions',
  'onTimeReleases',
  'fixesPerRelease',
  'releaseCadence',
  'crashFreeSessions',
  'averageRating',
] as const
export type MetricKey = (typeof METRIC_KEYS)[number]

export const METRICS: Record<MetricKey, { label: string; unit: MetricUnit }> = {
  releasesCompleted: { label: 'Releases completed', unit: 'count' },
  hotfixesCompleted: { label: 'Hotfixes completed', unit: 'count' },
  rollbacks: { label: 'Rollbacks', unit: 'count' },
  leadTimeKickoffToRelease: { label: 'Lead time from kickoff to release', unit: 'days' },
  timeInReview: { label: 'Time in review', unit: 'hours' },
  timeInRegression: { label: 'Time in regression testing', unit: 'hours' },
  onTimeSubmissions: { label: 'Submissions on time', unit: 'percent' },
  onTimeReleases: { label: 'Releases on time', unit: 'percent' },
  fixesPerRelease: { label: 'Fixes per release', unit: 'count' },
  releaseCadence: { label: 'Release cadence', unit: 'days' },
  crashFreeSessions: { label: 'Crash-free sessions', unit: 'percent' },
  averageRating: { label: 'Average rating', unit: 'rating' },
}
