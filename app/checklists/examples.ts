const owners = [{ type: 'group', id: 'grp_4fJq0VbM2wXy7TtZr9Kd', name: 'QA' }]

/** An item as the documents show it. */
export const exampleItem = {
  id: 'item_8sKq2VbM2wXy7TtZr9Kd',
  appId: 'acme-ios',
  kind: 'regression',
  title: 'Log in with a passkey',
  description: 'On the oldest supported device.',
  releaseTypes: ['major', 'minor', 'point'],
  owners,
  required: true,
  notifyOnCompletion: true,
  placement: { stepConfigId: null, stepType: 'regressionTesting', position: 0 },
  releaseId: null,
  status: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
}

/** The same item as a release holds it. */
export const exampleReleaseItem = {
  ...exampleItem,
  placement: {
    stepConfigId: 'sc_7hKq2VbM2wXy7TtZr9Kd',
    stepType: 'regressionTesting',
    position: 0,
  },
  status: {
    type: 'passed',
    updatedAt: '2026-11-21T10:12:00.000Z',
    updatedBy: { type: 'apiKey', id: 'Zq81kDm02LxP', name: 'QA bot' },
    comment: {
      text: 'Passed on build 4711.',
      author: { type: 'apiKey', id: 'Zq81kDm02LxP', name: 'QA bot' },
      updatedAt: '2026-11-21T10:12:00.000Z',
    },
  },
  updatedAt: '2026-11-21T10:12:00.000Z',
}

export const exampleImpliedInput = {
  title: exampleItem.title,
  description: exampleItem.description,
  releaseTypes: exampleItem.releaseTypes,
  owners: [{ type: 'group', id: 'grp_4fJq0VbM2wXy7TtZr9Kd' }],
}
