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
const created = { 201: request('created') }
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
    description: 'Returns the fix requests of a release, newest first.',
    access: read,
    query: listFixRequestsValidator,
    responses: {
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
      'Requests a late change to a release that is kicked off and not over, by commits, pull requests or a ticket. If the release needs no approvals, it is approved at once. The code host is called first, for at most five seconds: an unknown commit is refused with 422, a pull request closed unmerged with 409 `pull_request_closed`. What it does not answer in time is checked later and listed in `waitsFor`.',
    access: actions('RequestFixes'),
    body: {
      kind: 'json',
      name: 'CreateFixRequestRequestBody',
      description: 'What is to be fixed, and the form values.',
      like: FixRequestEntity,
      validator: createFixRequestValidator,
      example: exampleFixInput,
    },
    responses: created,
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
    description: 'Returns a fix request with its code and decisions.',
    access: read,
    responses: { 200: request('approved') },
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
      'Records the approval of one person, who counts once. The request is approved when `requiredApprovals` people have approved its content. For a merge of the working branch, that is everything up to `mergesCommit`: an approval names this commit in `mergesCommit` or by `If-Match` (428 if missing, 412 if outdated), and lapses if it changes. Requesters may approve their own request only if the app allows it.',
    access: actions('ApproveFixes'),
    body: {
      kind: 'json',
      name: 'FixRequestApprovalRequestBody',
      description: 'Who approves, and what they read.',
      validator: approvalValidator,
      optional: true,
      example: { comment: 'Small, and worth it.' },
    },
    responses: { 200: request('approved') },
    errors: [409],
    events: ['fixRequest.approved'],
    precondition: { of: 'getFixRequest', isResponse: true },
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
    description: 'Rejects the request and reopens the triage issue it addresses.',
    access: actions('ApproveFixes'),
    body: { ...verdict, example: { comment: 'It can wait for 4.3.0.' } },
    responses: { 200: request('rejected') },
    errors: [409],
    events: ['fixRequest.rejected'],
    precondition: { of: 'getFixRequest', isResponse: true },
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
      'Creates a fix request for the issue, with commits, pull requests or a ticket if already known. The issue is resolved when the fix reaches users, and reopened when the request is rejected or its release ends without it. The code host is called first, as for `createFixRequest`.',
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'RequestFixRequestBody',
      description: 'The target release, the code or ticket if known, and the form values.',
      like: FixRequestEntity,
      validator: requestFixValidator,
      example: {
        releaseId: exampleFixRequest('created').releaseId,
        pullRequestNumbers: exampleFixInput.pullRequestNumbers,
      },
    },
    responses: created,
    errors: [409],
    events: ['fixRequest.created', 'fixRequest.approved'],
    precondition: { of: 'getTriageIssue' },
    check: (call, errors) => fixes.checkRequestFix(call, errors),
    prefetch: (call) => fixes.askBeforeRequestFix(call),
    handle: (call) => fixes.requestFix(call),
  }),
]
