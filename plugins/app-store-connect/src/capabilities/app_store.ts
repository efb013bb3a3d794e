import type {
  AppStore,
  LocalizedMetadata,
  Mutation,
  NewReviewFile,
  OnReviewInProgress,
  PluginContext,
  StoreVersionState,
} from '@tarmac/plugin-kit'
import { AppStoreConnect } from '../api.js'
import { addReviewFile, listReviewFiles } from '../attachments.js'
import { listBuilds } from '../builds.js'
import { listReviews, replyToReview } from '../customer_reviews.js'
import { prepare } from '../preparing.js'
import { cancelReview, release, submit } from '../reviewing.js'
import { setRollout } from '../rollouts.js'
import { getMetadata, setMetadata } from '../texts.js'
import { listVersions } from '../versions.js'

/**
 * Versions in the App Store. The function of each method documents its number of calls.
 * Methods that need the app's id make one more call if the integration has no `x-apple-id`.
 */
export default class AppleAppStore implements AppStore {
  readonly #api: AppStoreConnect

  constructor(protected readonly ctx: PluginContext) {
    this.#api = new AppStoreConnect(ctx)
  }

  listVersions(filter: { version?: string; states?: StoreVersionState[] }, cursor?: string) {
    return listVersions(this.#api, filter, cursor)
  }

  listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    return listBuilds(this.#api, filter, cursor, { withTesting: false })
  }

  prepare(input: Parameters<AppStore['prepare']>[0], _m: Mutation) {
    return prepare(this.#api, input)
  }

  getMetadata(versionId: string) {
    return getMetadata(this.#api, versionId)
  }

  setMetadata(versionId: string, entries: LocalizedMetadata[], _m: Mutation) {
    return setMetadata(this.#api, versionId, entries)
  }

  submit(versionId: string, m: Parameters<AppStore['submit']>[1]) {
    return submit(this.#api, versionId, m)
  }

  cancelReview(versionId: string, _m: Mutation) {
    return cancelReview(this.#api, versionId)
  }

  release(versionId: string, _m: Mutation) {
    return release(this.#api, versionId)
  }

  setRollout(
    versionId: string,
    to: Parameters<AppStore['setRollout']>[1],
    _m: Mutation & { onReviewInProgress: OnReviewInProgress }
  ) {
    return setRollout(this.#api, versionId, to)
  }

  listReviews(filter: Parameters<AppStore['listReviews']>[0], cursor?: string) {
    return listReviews(this.#api, filter, cursor)
  }

  replyToReview(reviewId: string, text: string, _m: Mutation) {
    return replyToReview(this.#api, reviewId, text)
  }

  listReviewFiles(versionId: string) {
    return listReviewFiles(this.#api, versionId)
  }

  addReviewFile(versionId: string, file: NewReviewFile, _m: Mutation) {
    return addReviewFile(this.#api, versionId, file)
  }
}
