/*
 * Scenarios of the conformance suite that do not apply, each with the reason. docs/reference/agents.md lists
 * the same for readers.
 */

const OWN_TOOL = 'calls a tool that only test servers have'
const OWN_PROMPT = 'gets a prompt that only test servers have'
const OWN_RESOURCE = 'reads a resource that only test servers have'
const ASKS_BACK = 'wants a tool that asks the client for more: plans and their tokens do that here'
const TASKS = 'is of the extension for tasks, which is not offered: every call is short'
const LOGGING = 'wants messages of a log, which are not offered: the timeline shows what happened'
const SUBSCRIBING = 'wants subscriptions, which are not offered: webhooks report changes'

const of = (reason: string, ...scenarios: string[]) =>
  Object.fromEntries(scenarios.map((scenario) => [scenario, reason]))

const OF_BOTH = {
  ...of(
    OWN_TOOL,
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12'
  ),
  ...of(
    OWN_PROMPT,
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image'
  ),
  ...of(OWN_RESOURCE, 'resources-read-text', 'resources-read-binary', 'resources-templates-read'),
}

export const SCENARIOS_LEFT_OUT: Readonly<
  Record<'2026-07-28' | '2025-11-25', Readonly<Record<string, string>>>
> = {
  '2026-07-28': {
    ...OF_BOTH,
    ...of(
      ASKS_BACK,
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params'
    ),
    ...of(
      TASKS,
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition'
    ),
    ...of(
      'wants a tool whose arguments are sent as headers too, which none is',
      'http-custom-header-server-validation'
    ),
  },
  '2025-11-25': {
    ...OF_BOTH,
    ...of(
      ASKS_BACK,
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums'
    ),
    ...of(LOGGING, 'logging-set-level', 'tools-call-with-logging'),
    ...of(SUBSCRIBING, 'resources-subscribe', 'resources-unsubscribe'),
    ...of(
      'polls a stream again, where every answer here ends with its request',
      'server-sse-polling'
    ),
  },
}

/**
 * Single checks of scenarios that otherwise apply. Each calls a tool that only test servers have.
 */
export const CHECKS_LEFT_OUT: Readonly<Record<string, string>> = of(
  OWN_TOOL,
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel'
)
