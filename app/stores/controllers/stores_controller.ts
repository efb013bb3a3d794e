import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { findRelease } from '#releases/queries/find_release'
import { readRelease } from '#releases/queries/read_release'
import { releaseEntity } from '#releases/queries/release_entities'
import { stepRun } from '#releases/queries/step_runs'
import { warned } from '#releases/queries/warnings_of'
import { AddReviewAttachments, type AttachmentsInput } from '../actions/add_review_attachments.js'
import { LinkBuild } from '../actions/link_build.js'
import { ReplyToReview } from '../actions/reply_to_review.js'
import { SelectBuilds } from '../actions/select_builds.js'
import { SubmitRelease } from '../actions/submit_release.js'
import { TakeOff } from '../actions/take_off.js'
import { WithdrawSubmission } from '../actions/withdraw_submission.js'
import {
  findReview,
  listReviews,
  reviewEntity,
  reviewIssues,
  reviewKeys,
  reviewSummary,
} from '../queries/store_reviews.js'
import {
  listStoreBuilds,
  storeBuildEntity,
  storeBuildKeys,
  storeBuildsById,
} from '../queries/store_builds.js'
import type {
  LinkBuildInput,
  ListReviewsQuery,
  ListStoreBuildsQuery,
  ReplyInput,
  SelectBuildsInput,
  SubmitInput,
  TakeOffInput,
} from '../validators/store_input.js'

const isForced = ({ force = false, submitWithIncompleteSteps = false }: SubmitInput) =>
  force || submitWithIncompleteSteps

/** Serves the requests about releases in stores, their builds and their reviews. */
export class StoresController {
  async submit({ scope, params, body }: Call<SubmitInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SubmitRelease(scope).handle(release, { isForced: isForced(body) })
    return async () =>
      ok(await warned(scope, release, 'submit', await releaseEntity(scope, release)))
  }

  async submitRun({ scope, params, body }: Call<SubmitInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const { stepRunId } = params
    await new SubmitRelease(scope).handle(release, { isForced: isForced(body), stepRunId })
    return async () =>
      ok(await warned(scope, release, 'submit', await stepRun(scope, release, stepRunId)))
  }

  async withdraw({ scope, params }: Call) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new WithdrawSubmission(scope).handle(release)
    return async () => ok(await releaseEntity(scope, release))
  }

  async withdrawRun({ scope, params }: Call) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new WithdrawSubmission(scope).handle(release, params.stepRunId)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }

  async takeOff({ scope, params, body }: Call<TakeOffInput | undefined>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new TakeOff(scope).handle(release, { isForced: body?.force })
    return async () =>
      ok(await warned(scope, release, 'release', await releaseEntity(scope, release)))
  }

  async takeOffRun({ scope, params, body }: Call<TakeOffInput | undefined>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const { stepRunId } = params
    await new TakeOff(scope).handle(release, { stepRunId, isForced: body?.force })
    return async () =>
      ok(await warned(scope, release, 'release', await stepRun(scope, release, stepRunId)))
  }

  async checkSelection(
    { scope, params, body }: Call<PartiallyValid<SelectBuildsInput>>,
    errors: InputErrors
  ) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SelectBuilds(scope).check(release, params.stepRunId, body, errors)
  }

  async select({ scope, params, body }: Call<SelectBuildsInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SelectBuilds(scope).handle(release, params.stepRunId, body)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }

  async reviews({ scope, params: { appId }, query }: Call<undefined, ListReviewsQuery>) {
    const [summary, issues] = await Promise.all([
      reviewSummary(scope, appId, query),
      reviewIssues(scope, appId, query),
    ])
    const response = await page({
      cursors,
      path: `/app/${appId}/reviews`,
      query,
      fetch: (request) => listReviews(scope, appId, query, request),
      keys: reviewKeys,
      transform: (rows) => rows.map((row) => reviewEntity(row, issues)),
    })
    const shown = issues.map(({ reviewIds: _, sameIds: __, ...issue }) => issue)
    return { ...response, body: { ...(response.body as object), summary, issues: shown } }
  }

  async checkReply({ scope, params, body }: Call<PartiallyValid<ReplyInput>>, errors: InputErrors) {
    await new ReplyToReview(scope).check(params.appId, params.reviewId, body, errors)
  }

  async reply({ scope, params: { appId, reviewId }, body }: Call<ReplyInput>) {
    await new ReplyToReview(scope).handle(appId, reviewId, body)
    return async () =>
      ok(
        reviewEntity(await findReview(scope, appId, reviewId), await reviewIssues(scope, appId, {}))
      )
  }

  async attach({ scope, params: { appId }, body }: Call<AttachmentsInput>) {
    return ok(await new AddReviewAttachments(scope).handle(appId, body))
  }

  async builds({ scope, params, query }: Call<undefined, ListStoreBuildsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return page({
      cursors,
      path: `/app/${params.appId}/release/${release.id}/appStoreBuilds`,
      query,
      fetch: (request) => listStoreBuilds(scope, release.id, request),
      keys: storeBuildKeys,
      transform: (rows) => rows.map(storeBuildEntity),
    })
  }

  async link({ scope, params: { appId, appStoreBuildId }, body }: Call<LinkBuildInput>) {
    await new LinkBuild(scope).handle(appId, appStoreBuildId, body.ciBuildId)
    return async () => {
      const [build] = await storeBuildsById(scope, [appStoreBuildId])
      return ok(storeBuildEntity(build))
    }
  }
}
