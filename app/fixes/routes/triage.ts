import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import {
  exampleForm,
  exampleFormInput,
  exampleTriageInput,
  exampleTriageIssue,
} from '../examples.js'
import { FixRequestFormFieldsSettingsEntity, TriageIssueEntity } from '../triage/triage_entities.js'
import {
  createTriageIssueValidator,
  listTriageIssuesValidator,
  updateFormValidator,
  updateTriageIssueValidator,
} from '../validators/triage_input.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const triage = lazyController(
  async () => new (await import('../controllers/triage_controller.js')).TriageController()
)
const tag = 'Triage issues'
const ISSUES = '/app/{appId}/triageIssue'
const FORM = '/app/{appId}/fixRequestFormFieldsSettings'

const issue = {
  description: 'The issue.',
  schema: TriageIssueEntity,
  example: exampleTriageIssue,
}
const form = {
  200: {
    description: 'The form and its rules.',
    schema: FixRequestFormFieldsSettingsEntity,
    example: exampleForm,
  },
}

export const operations = [
  operation({
    id: 'getFixRequestFormFieldsSettings',
    method: 'GET',
    path: FORM,
    tag: 'App',
    summary: "Get the app's fix request form field settings",
    description: 'What a fix request has to say, and who has to approve it.',
    access: read,
    answers: form,
    handle: (call) => triage.showForm(call),
  }),
  operation({
    id: 'updateFixRequestFormFieldsSettings',
    steps: twoSteps('says how many approvals a fix takes'),
    method: 'PUT',
    path: FORM,
    tag: 'App',
    summary: "Update the app's fix request form field settings",
    description:
      'Changes what is given; fields given replace all of them. Requests that were made keep what they were made with. `requireFixApprovals` and `enableFixStatusChecks` are `appSettings` of the configuration file.',
    beyond: true,
    access: actions('UpdateAppSettings'),
    body: {
      kind: 'json',
      name: 'UpdateFixRequestFormFieldsSettingsRequestBody',
      description: 'What to change; what is absent stays.',
      like: FixRequestFormFieldsSettingsEntity,
      validator: updateFormValidator,
      example: exampleFormInput,
    },
    answers: form,
    precondition: { of: 'getFixRequestFormFieldsSettings', isAnswer: true },
    check: (call, errors) => triage.checkForm(call, errors),
    handle: (call) => triage.updateForm(call),
  }),
  operation({
    id: 'listTriageIssues',
    method: 'GET',
    path: ISSUES,
    tag,
    summary: 'List triage issues',
    description: 'A page of the issues of the app, newest first.',
    access: read,
    query: listTriageIssuesValidator,
    answers: {
      200: {
        description: 'A page of issues.',
        schema: pageOf(TriageIssueEntity),
        example: {
          data: [exampleTriageIssue],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => triage.index(call),
  }),
  operation({
    id: 'createTriageIssue',
    steps: oneStep('an issue can be changed'),
    method: 'POST',
    path: ISSUES,
    tag,
    summary: 'Create a triage issue',
    description:
      'Records something that went wrong; only `title` is required. What is open already under the same `title` and `sourceUrl`, or was found by the service at that `sourceUrl`, is that issue: 200, with the versions and numbers added to it.',
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'CreateTriageIssueRequestBody',
      description: 'The issue to record.',
      like: TriageIssueEntity,
      validator: createTriageIssueValidator,
      example: exampleTriageInput,
    },
    answers: { 200: { ...issue, description: 'The issue there is.' }, 201: issue },
    check: (call, errors) => triage.checkCreate(call, errors),
    handle: (call) => triage.create(call),
  }),
  operation({
    id: 'getTriageIssue',
    method: 'GET',
    path: `${ISSUES}/{issueId}`,
    tag,
    summary: 'Get a triage issue',
    description: 'One issue, with the fix request that answers it.',
    access: read,
    answers: { 200: issue },
    handle: (call) => triage.show(call),
  }),
  operation({
    id: 'updateTriageIssue',
    steps: oneStep('can be changed back'),
    method: 'PUT',
    path: `${ISSUES}/{issueId}`,
    tag,
    summary: 'Update a triage issue',
    description:
      'Changes what is said of an issue, or decides on it by hand; while a fix is requested, that decides.',
    beyond: true,
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'UpdateTriageIssueRequestBody',
      description: 'What to change; what is absent stays.',
      like: TriageIssueEntity,
      validator: updateTriageIssueValidator,
      example: { severity: 'high' },
    },
    answers: { 200: issue },
    errors: [409],
    precondition: { of: 'getTriageIssue', isAnswer: true },
    handle: (call) => triage.update(call),
  }),
]
