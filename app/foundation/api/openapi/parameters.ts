/** What every path parameter means. */
export const pathParameters: Record<string, { description: string; example: string }> = {
  orgId: { description: 'Id of the organization.', example: 'org_4fJq0VbM2wXy7TtZr9Kd' },
  appId: { description: 'Id of the app, a slug.', example: 'acme-ios' },
  releaseId: {
    description: 'Id of the release, `<appId>:<version>`; the colon raw or as `%3A`.',
    example: 'acme-ios:1.4.0',
  },
  stepId: { description: 'Id of the step within the release.', example: 'step_1' },
  stepRunId: { description: 'Id of one attempt at a step.', example: 'run_1' },
  stepConfigId: { description: 'Id of the step in the workflow of the app.', example: 'sc_1' },
  stepType: { description: 'Type of the step.', example: 'metadata' },
  checklistItemId: { description: 'Id of the item.', example: 'item_1' },
  groupId: { description: 'Id of the group.', example: 'grp_1' },
  endpointId: { description: 'Id of the webhook endpoint.', example: 'whe_1' },
  deliveryId: { description: 'Id of the delivery.', example: 'del_1' },
  fileName: { description: 'Name of the file.', example: 'file.png' },
  recoveryId: { description: 'Id of the recovery.', example: 'whr_1' },
  code: { description: 'A problem code.', example: 'not_found' },
}

/** Headers of requests, as parameters of the operations that read them. */
export const headerParameters = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes repeating the request safe for 48 hours: the same key and request get the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Writes only if the entity still has this entity tag.',
    schema: { type: 'string', maxLength: 1000 },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Answers 304 when the representation still has this entity tag.',
    schema: { type: 'string', maxLength: 1000 },
  },
} as const
