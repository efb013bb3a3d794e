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
    description: 'Returns the form of fix requests and the rules for their approval.',
    access: read,
    responses: form,
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
      'Changes the given members; `fields` replaces all fields. Existing requests keep the rules they were created with. `requireFixApprovals` and `enableFixStatusChecks` are `appSettings` of the configuration file.',
    beyond: true,
    access: actions('UpdateAppSettings'),
    body: {
      kind: 'json',
      name: 'UpdateFixRequestFormFieldsSettingsRequestBody',
      description: 'Fields to change; absent fields stay.',
      like: FixRequestFormFieldsSettingsEntity,
      validator: updateFormValidator,
      example: exampleFormInput,
    },
    responses: form,
    precondition: { of: 'getFixRequestFormFieldsSettings', isResponse: true },
    check: (call, errors) => triage.checkForm(call, errors),
    handle: (call) => triage.updateForm(call),
  }),
  operation({
    id: 'listTriageIssues',
    method: 'GET',
    path: ISSUES,
    tag,
    summary: 'List triage issues',
    description: 'Returns a page of the issues of the app, newest first.',
    access: read,
    query: listTriageIssuesValidator,
    responses: {
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
      'Records an issue; only `title` is required. If an `open` or `fixRequested` issue has the same `title` and `sourceUrl`, or was found by the service at that `sourceUrl`, the versions and numbers are added to it instead, with 200.',
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'CreateTriageIssueRequestBody',
      description: 'The issue to record.',
      like: TriageIssueEntity,
      validator: createTriageIssueValidator,
      example: exampleTriageInput,
    },
    responses: { 200: { ...issue, description: 'The existing issue.' }, 201: issue },
    check: (call, errors) => triage.checkCreate(call, errors),
    handle: (call) => triage.create(call),
  }),
  operation({
    id: 'getTriageIssue',
    method: 'GET',
    path: `${ISSUES}/{issueId}`,
    tag,
    summary: 'Get a triage issue',
    description: 'Returns an issue with the id of its fix request.',
    access: read,
    responses: { 200: issue },
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
      'Changes an issue, including its status unless a fix is requested (409 `fix_requested`).',
    beyond: true,
    access: actions('ManageTriageIssues'),
    body: {
      kind: 'json',
      name: 'UpdateTriageIssueRequestBody',
      description: 'Fields to change; absent fields stay.',
      like: TriageIssueEntity,
      validator: updateTriageIssueValidator,
      example: { severity: 'high' },
    },
    responses: { 200: issue },
    errors: [409],
    precondition: { of: 'getTriageIssue', isResponse: true },
    handle: (call) => triage.update(call),
  }),
]
