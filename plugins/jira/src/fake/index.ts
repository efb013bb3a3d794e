export { JiraFake } from './jira_fake.js'
export { sampleScenario } from './sample_scenario.js'
