export const command = {summary:'', usage:'sandbox', run: async () => 1};
