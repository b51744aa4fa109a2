export default { name: 'no-run', split: () => [1, 2, 3] }
