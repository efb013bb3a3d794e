import type { Mutation, Observed, Page, Ref } from '../context.js'

export type StoreVersionState =
  | 'preparing'
  | 'processing'
  | 'readyForReview'
  | 'waitingForReview'
  | 'inReview'
  | 'rejected'
  | 'metadataRejected'
  | 'developerRejected'
  | 'invalidBinary'
  | 'pendingRelease'
  | 'rolledOutPartially'
  | 'halted'
  | 'live'
  | 'replaced'
  | 'removed'

export interface StoreVersion extends Ref {
  version: string
  buildId?: string
  track?: string
  status: Observed<StoreVersionState>
  rollout?: {
    mode: 'phased' | 'staged'
    state: 'inactive' | 'active' | 'paused' | 'halted' | 'complete'
    /** Of the users, 0 to 1. */
    fraction?: number
    day?: number
  }
}

export interface StoreBuild extends Ref {
  number: string
  version: string
  uploadedAt: string
  status: Observed<'processing' | 'ready' | 'invalid' | 'expired'>
}

export interface LocalizedMetadata {
  locale: string
  title?: string
  whatsNew?: string
  description?: string
  keywords?: string
  promotionalText?: string
  supportUrl?: string
  marketingUrl?: string
}

export interface StoreReview extends Ref {
  rating: number
  title?: string
  text: string
  author?: string
  at: string
  locale?: string
  territory?: string
  version?: string
  reply?: { text: string; state: 'published' | 'pending' }
}

export interface AppStore {
  listVersions(
    filter: { version?: string; states?: StoreVersionState[] },
    cursor?: string
  ): Promise<Page<StoreVersion>>
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  prepare(
    input: {
      version: string
      buildNumber: string
      phased: boolean
      release: 'manual' | 'auto' | { at: string }
    },
    m: Mutation
  ): Promise<StoreVersion>
  getMetadata(versionId: string): Promise<LocalizedMetadata[]>
  setMetadata(
    versionId: string,
    entries: LocalizedMetadata[],
    m: Mutation
  ): Promise<LocalizedMetadata[]>
  submit(
    versionId: string,
    m: Mutation & { onReviewInProgress: 'fail' | 'replace' }
  ): Promise<StoreVersion>
  cancelReview(versionId: string, m: Mutation): Promise<StoreVersion>
  release(versionId: string, m: Mutation): Promise<StoreVersion>
  setRollout(
    versionId: string,
    to: { action: 'start' | 'pause' | 'resume' | 'halt' | 'complete' } | { fraction: number },
    m: Mutation
  ): Promise<StoreVersion>
  listReviews(
    filter: { since?: string; minRating?: number; maxRating?: number },
    cursor?: string
  ): Promise<Page<StoreReview>>
  replyToReview?(reviewId: string, text: string, m: Mutation): Promise<StoreReview>
}

export interface BetaTesting {
  listGroups(cursor?: string): Promise<Page<{ id: string; name: string; internal: boolean }>>
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  setNotes(buildId: string, notes: { locale: string; text: string }[], m: Mutation): Promise<void>
  distribute(
    buildId: string,
    groupIds: string[],
    m: Mutation
  ): Promise<Observed<'processing' | 'inReview' | 'testing' | 'rejected' | 'expired'>>
}

export interface Localization {
  listLocales(): Promise<{ locale: string; translated: number; reviewed?: number; total: number }[]>
  upload(
    files: { path: string; locale: string; content: Uint8Array }[],
    tag: string,
    m: Mutation
  ): Promise<Ref>
  download(
    locales: string[],
    tag?: string
  ): Promise<{ locale: string; path: string; content: Uint8Array }[]>
  getStoreMetadata?(): Promise<LocalizedMetadata[]>
}
