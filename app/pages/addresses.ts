/** Addresses of pages: `/dashboard`, followed by the API's own path of what is shown. */
export const addresses = {
  home: '/dashboard/org/{orgId}',
  turn: '/dashboard/org/{orgId}/turn',
  app: '/dashboard/app/{appId}',
  newRelease: '/dashboard/app/{appId}/release/new',
  release: '/dashboard/app/{appId}/release/{releaseId}',
  step: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}',
  timeline: '/dashboard/app/{appId}/release/{releaseId}/timelineEvents',
  redButton: '/dashboard/app/{appId}/release/{releaseId}/redButton',
  rollout: '/dashboard/app/{appId}/release/{releaseId}/rollout',
  storeRollout: '/dashboard/app/{appId}/release/{releaseId}/stepRun/{stepRunId}/rollout',
  selectedBuild: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/selectedBuild',
  itemStatus:
    '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/checklistItem/{checklistItemId}/status',
  act: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/act/{act}',
} as const

/** Fills the parameters of an address in. */
export const addressOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]))
