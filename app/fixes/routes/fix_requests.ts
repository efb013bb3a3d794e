import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { FixRequestEntity } from '../entities.js'
import { exampleFixInput, exampleFixRequest } from '../examples.js'
import {
  approvalValidator,
  createFixRequestValidator,
  listFixRequestsValidator,
  requestFixValidator,
  verdictValidator,
} from '../validators/fix_input.js'
import { MAX_FIX_REQUESTS } from '../vocabulary.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const fixes = lazyController(
  async () =>
    new (await import('../controllers/fix_requests_controller.js')).FixRequestsController()
)
const tag = 'Release'
const REQUESTS = '/app/{appId}/release/{releaseId}/fixRequest'
const REQUEST = `${REQUESTS}/{fixRequestId}`

const request = (status: Parameters<typeof exampleFixRequest>[0]) => ({
  description: 'The fix request.',
  schema: FixRequestEntity,
  example: exampleFixRequest(status),
})
const made = { 201: request('created') }
const verdict = {
  kind: 'json',
  name: 'FixRequestVerdictRequestBody',
  description: 'Who decides, and why.',
  validator: verdictValidator,
  optional: true,
} as const

export const operations = [
  operation({
    id: 'listFixRequests',
    method: 'GET',
    path: REQUESTS,
    tag,
    summary: 'List fix requests',
    description: 'The late changes that were asked for in the release, newest first.',
    access: read,
    query: listFixRequestsValidator,
    answers: {
      200: {
        description: 'The fix requests.',
        schema: list('The fix requests.', FixRequestEntity, MAX_FIX_REQUESTS),
        example: [exampleFixRequest('approved')],
      },
    },
    handle: (call) => fixes.index(call),
  }),
  operation({
    id: 'createFixRequest',
    callsOthers: true,
    steps: twoSteps('commits are picked at once where an app asks for no approval'),
    method: 'POST',
    path: REQUESTS,
    tag,
    summary: 'Create a fix request',
    description:
      'Asks for a late change in a release that is kicked off and not over, by commits, pull requests or a ticket. Where the release needs no approvals it is approved at once. The host of the code is asked first, for five seconds at most: a commit that it has not is 422, a pull request that was closed 409 `pull_request_closed`. What it does not answer in time is seen later, and stands in `waitsFor`.',
    access: actions('RequestFixes'),
    body: {
      kind: 'json',
      name: 'CreateFixRequestRequestBody',
      description: 'What is to be fixed, and the form of the app.',
      like: FixRequestEntity,
      validator: createFixRequestValidator,
      example: exampleFixInput,
    },
    answers: made,
    errors: [409],
    events: ['fixRequest.created', 'fixRequest.approved'],
    check: (call, errors) => fixes.checkCreate(call, errors),
    prefetch: (call) => fixes.askBeforeCreate(call),
    handle: (call) => fixes.create(call),
  }),
  operation({
    id: 'getFixRequest',
    method: 'GET',
    path: REQUEST,
    tag,
    summary: 'Get a fix request',
    description: 'One request, with what it brings in and what was said of it.',
    access: read,
    answers: { 200: request('approved') },
    handle: (call) => fixes.show(call),
  }),
  operation({
    id: 'approveFixRequest',
    callsOthers: true,
    steps: twoSteps('the last approval has commits picked onto the branch'),
    method: 'PUT',
    path: `${REQUEST}/approve`,
    tag,
    summary: 'Approve a fix request',
    description:
      'The vote of one person, who counts once; it is approved when `requiredApprovals` people approved what it brings in. Of a merge of the working branch that is everything up to `mergesCommit`: a vote says which commit it is for, by that name or by `If-Match` (428 else, 412 for another), and where it is another one later, approvals fall. Who requested it approves it only where the app allows that.',
    access: actions('ApproveFixes'),
    body: {
      kind: 'json',
      name: 'FixRequestApprovalRequestBody',
      description: 'Who approves, and what they read.',
      validator: approvalValidator,
      optional: true,
      example: { comment: 'Small, and worth it.' },
    },
    answers: { 200: request('approved') },
    errors: [409],
    events: ['fixRequest.approved'],
    precondition: { of: 'getFixRequest', isAnswer: true },
    check: (call, errors) => fixes.checkVerdict(call, errors),
    handle: (call) => fixes.approve(call),
  }),
  operation({
    id: 'rejectFixRequest',
    steps: oneStep('keeps it out; it can be asked for again'),
    method: 'PUT',
    path: `${REQUEST}/reject`,
    tag,
    summary: 'Reject a fix request',
    description: 'Ends the request; a triage issue that it answers is open again.',
    access: actions('ApproveFixes'),
    body: { ...verdict, example: { comment: 'It can wait for 4.3.0.' } },
    answers: { 200: request('rejected') },
    errors: [409],
    events: ['fixRequest.rejected'],
    precondition: { of: 'getFixRequest', isAnswer: true },
    check: (call, errors) => fixes.checkVerdict(call, errors),
    handle: (call) => fixes.reject(call),
  }),
  operation({
    id: 'requestTriageIssueFix',
    callsOthers: true,
    steps: twoSteps('commits are picked at once where an app asks for no approval'),
    method: 'POST',
    path: '/app/{appId}/triageIssue/{issueId}/requestFix',
    tag: 'Triage issues',
    summary: 'Request a fix for a triage issue',
    description:
      'Makes a fix request that answers the issue, by commits, pull requests or a ticket where they are known already. The issue is resolved when the fix is with users, and open again when it is rejected or its release is over without it. The host of the code is asked first, as for `createFixRequest`.',
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'RequestFixRequestBody',
      description:
        'The release that the fix is to go into, what brings it where that is known, and the form of the app.',
      like: FixRequestEntity,
      validator: requestFixValidator,
      example: {
        releaseId: exampleFixRequest('created').releaseId,
        pullRequestNumbers: exampleFixInput.pullRequestNumbers,
      },
    },
    answers: made,
    errors: [409],
    events: ['fixRequest.created', 'fixRequest.approved'],
    precondition: { of: 'getTriageIssue' },
    check: (call, errors) => fixes.checkRequestFix(call, errors),
    prefetch: (call) => fixes.askBeforeRequestFix(call),
    handle: (call) => fixes.requestFix(call),
  }),
]
